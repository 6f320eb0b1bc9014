// skc verify: compares installed skills with the lock.

import { join } from 'node:path';
import { hideSecrets } from '../../base/diagnostics/index.ts';
import { isThere } from '../../base/files/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import { unconfirmed } from './gate/acceptance-memory.ts';
import type { Acceptance } from './lock/acceptance.ts';
import { entryOf, type Lock, readAgain } from './lock/lock.ts';
import { type CheckedCopies, verifySkillsCli } from './lock/skills-cli-lock.ts';
import { type InstallContext, placesInSight } from './place/install-place.ts';
import { readPlaced } from './place/placed-record.ts';
import { unsharedEdits } from './place/shared-edits.ts';
import { findIn, type Installed, type PlaceRead, readPlaces } from './plan/find-installed.ts';
import { findLeft, type LeftBehind } from './restore/assess-skill.ts';
import { askRegistries } from './source/ask-registries.ts';
import { diagnoseNotice, readNews } from './source/source-news.ts';
import { originIn, type RegistryOrigin } from './source/spell-source.ts';
import { hasJournal } from './transaction/journal.ts';
import {
  type CheckedDeployment,
  checkDeployments,
  checkRuntime,
  type RuntimeState,
} from './verify/check-deployments.ts';
import { checkProofs, type LogState } from './verify/check-proofs.ts';
import { compareWithLock, type FileDrift, isHeld, isIntact } from './verify/compare-with-lock.ts';

/** Status of one installed skill. */
export interface Verified extends Omit<FileDrift, 'sourceHash'> {
  readonly name: string;
  readonly scope: StoreScope;
  /** Whether only kept edits differ from the lock, and agents find it. */
  readonly ok: boolean;
  /** False when the whole directory is missing. */
  readonly present: boolean;
  readonly runtime: RuntimeState;
  readonly deployments: readonly CheckedDeployment[];
  /** Accepted findings, and whether each file still has the accepted content. */
  readonly accepted: readonly (Acceptance & { readonly holds: boolean; readonly confirmed: boolean })[];
  /** Edits of the project whose files are not stored next to the lock, so that other machines lack them. */
  readonly unshared: readonly string[];
  /** Where it came from, as the lock spells it. */
  readonly source: string;
  readonly origin: RegistryOrigin | null;
  /** Whether the log of its registry contains it; null when that was not asked, or it is not from a registry. */
  readonly log: LogState | null;
  /** Reasons why a strict check fails; empty when nothing differs. */
  readonly faults: readonly string[];
}

/** A check of places against their locks. */
interface VerifyRequest {
  readonly skills: readonly string[];
  readonly scope?: StoreScope | undefined;
  /** Checks the kept proofs too. */
  readonly log?: boolean | undefined;
  /** False asks registries about the skills, true says what they answered last. Left out, it says only that. */
  readonly offline?: boolean | undefined;
}

/** Compares installed skills with the lock: of the project and of the user, unless a scope is given. */
export async function verifySkills(request: VerifyRequest, context: InstallContext): Promise<Verified[]> {
  return (await verifyPlaces(request, context)).skills;
}

/**
 * Compares places with their locks: the installed skills, and without names the skills that were installed under an
 * earlier lock, and those of a `skills-lock.json`.
 */
export async function verifyPlaces(
  request: VerifyRequest,
  context: InstallContext,
): Promise<{
  skills: Verified[];
  left: (LeftBehind & { readonly scope: StoreScope })[];
  others: CheckedCopies[];
}> {
  const { skills: names, scope, offline } = request;
  for (let attempt = 1; ; attempt++) {
    const places = await readPlaces(placesInSight(scope, context), context);
    const found = findIn(places, names);
    const logs = request.log === true ? await checkProofs(found, context) : new Map<Installed, LogState>();
    const placed = new Map(places.map(({ place }) => [place, readPlaced(place)]));
    const skills = found.map((skill) =>
      verifyOne(skill, { context, log: logs.get(skill) ?? null, placed: placed.get(skill.place)! }),
    );
    // It was changed during the check: the result may mix two states.
    if (attempt < 3 && !places.every(isSettled)) continue;
    await reportNews(found, { context, offline });
    if (names.length > 0) return { skills, left: [], others: [] };
    const left = places.flatMap(({ place, read }) =>
      findLeft(read.lock, placed.get(place)!, place)
        .filter(({ dir }) => isThere(dir))
        .map((one) => ({ ...one, scope: place.scope })),
    );
    const own = places.find(({ place }) => place.project !== undefined)?.read.lock;
    return { skills, left, others: scope === 'user' ? [] : verifySkillsCli(context, own) };
  }
}

/** W224 for the warnings about installed skills: those that registries give now, else the remembered ones. */
async function reportNews(
  found: readonly Installed[],
  { context, offline }: { context: InstallContext; offline: boolean | undefined },
): Promise<void> {
  const { workspace, report } = context;
  // A check asks nobody: a registry that the user has not confirmed is not asked either.
  const config = await workspace.config();
  if (offline !== undefined)
    await askRegistries(found, { context: { ...context, ask: undefined }, config, offline });
  const news = readNews(workspace);
  for (const { name, place, entry } of found)
    for (const notice of news.of({ lock: place.store.lock, name, entry })?.notices ?? [])
      report(diagnoseNotice(name, notice));
}

/** Safety: looks again whether another process has changed the place in the meantime. */
function isSettled({ place, read }: PlaceRead): boolean {
  return !hasJournal(place) && readAgain(place.store.lock, read) === read;
}

function verifyOne(
  { name, place, entry }: Installed,
  { context, log, placed }: { context: InstallContext; log: LogState | null; placed: Lock },
): Verified {
  const dir = join(place.store.skills, name);
  const present = isThere(dir);
  const { sourceHash, ...drift } = present
    ? compareWithLock(dir, entry, entryOf(placed, name))
    : { ...noDrift, missing: Object.keys(entry.files), sourceHash: '' };
  const runtime = checkRuntime(name, sourceHash, place);
  const deployments = checkDeployments(name, entry, { place, context });
  const isUsable = runtime !== 'missing' && runtime !== 'damaged';
  const isDeployed = deployments.every(({ state }) => state === 'ok');
  const isProved = log?.state !== 'missing' && log?.state !== 'bad';
  const ok = isIntact(drift) && isUsable && isDeployed && isProved;
  const strange = place.scope === 'user' ? [] : unconfirmed(entry.accepted, context.workspace.user);
  const accepted = entry.accepted.map((one) => ({
    ...one,
    holds: present && isHeld(dir, one),
    confirmed: !strange.includes(one),
  }));
  const unshared = unsharedEdits(name, { skills: { [name]: entry } }, place);
  const source = hideSecrets(entry.source);
  const standing = { name, scope: place.scope, source, origin: originIn(source), ok, present, log };
  const facts = { ...standing, ...drift, runtime, deployments, accepted, unshared };
  return { ...facts, faults: faultsOf(facts) };
}

const noDrift = { modified: [], extra: [], edited: [], behind: [] };

/** All differences between an installed skill and a fresh clone after `skc install`. */
function faultsOf(skill: Omit<Verified, 'faults'>): string[] {
  if (!skill.present) return ['its directory is gone'];
  const kinds = ['modified', 'missing', 'extra', 'behind'] as const;
  const { runtime, deployments, accepted, unshared, log } = skill;
  return [
    ...kinds.flatMap((kind) => skill[kind].map((path) => `${kind}: ${path}`)),
    ...(log === null || log.state === 'ok' ? [] : [`log: ${log.why}`]),
    ...unshared.map((path) => `edited, but not stored next to the lock: ${path}`),
    ...(runtime === 'ok' ? [] : [runtimeFaults[runtime]]),
    ...deployments.filter(({ state }) => state !== 'ok').map(({ agent, state }) => `${agent}: ${state}`),
    ...accepted
      .filter(({ holds, confirmed }) => !holds || !confirmed)
      .map(
        ({ rule, file, holds }) =>
          `accepted by someone ${holds ? 'but not confirmed here' : 'for other content'}: ${rule} in ${file}`,
      ),
  ];
}

const runtimeFaults = {
  missing: 'not compiled',
  stale: 'compiled from other files',
  damaged: "the compiled form was changed; 'skc install' rebuilds it",
} as const;
