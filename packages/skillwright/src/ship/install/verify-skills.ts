// skc verify: compares installed skills with the lock.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isThere, whenSettled } from '../../base/files/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import { checkKeptProof, registryAt, rememberedKey } from '../network/index.ts';
import { spellAddress } from '../protocol/index.ts';
import type { VerifyOutcome } from '../results/index.ts';
import { unconfirmed } from './gate/demands.ts';
import { type Lock, type LockedSkill, readAgain } from './lock/lock.ts';
import { verifySkillsCli } from './lock/skills-cli-lock.ts';
import { type InstallContext, placesInSight } from './place/install-place.ts';
import { readPlaced, readProof, unsharedEdits } from './place/place-records.ts';
import { diagnoseNotice, readNews } from './place/remembered.ts';
import { findIn, type Installed, type PlaceRead, readPlaces } from './plan/find-installed.ts';
import { askRegistries } from './source/ask-registries.ts';
import { describeSource } from './source/locked-source.ts';
import { readSource } from './source/read-source.ts';
import { hasJournal } from './transaction/journal.ts';
import {
  checkDeployments,
  checkRuntime,
  driftOf,
  type FileDrift,
  findLeft,
  isHeld,
  isIntact,
} from './verify/check-installed.ts';

/** Status of one installed skill. */
export type Verified = VerifyOutcome['skills'][number];

/** A check of places against their locks. */
interface VerifyRequest {
  readonly skills: readonly string[];
  readonly scope?: StoreScope | undefined;
  /** Whether the caller fails on every fault. */
  readonly strict?: boolean | undefined;
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
export async function verifyPlaces(request: VerifyRequest, context: InstallContext): Promise<VerifyOutcome> {
  const { skills: names, scope, strict = false, offline } = request;
  // If a place was changed during the check, the result may mix two states.
  const { places, found, placed, skills } = await whenSettled(MAX_LOOKS, async () => {
    const seen = await readPlaces(placesInSight(scope, context), context);
    const named = findIn(seen, names);
    const logs = request.log === true ? await checkProofs(named, context) : new Map<Installed, LogState>();
    const records = new Map(seen.map(({ place }) => [place, readPlaced(place)]));
    const checked = named.map((skill) =>
      verifyOne(skill, { context, log: logs.get(skill) ?? null, placed: records.get(skill.place)! }),
    );
    const result = { places: seen, found: named, placed: records, skills: checked };
    return { result, isSettled: seen.every(isSettled) };
  });
  await reportNews(found, { context, offline });
  if (names.length > 0) return { strict, skills, left: [], skills_lock: [] };
  const left = places.flatMap(({ place, read }) =>
    findLeft(read.lock, placed.get(place)!, place)
      .filter(({ dir }) => isThere(dir))
      .map(({ name, dir, isEdited }) => ({ name, scope: place.scope, dir, edited: isEdited })),
  );
  const own = places.find(({ place }) => place.project !== undefined)?.read.lock;
  return { strict, skills, left, skills_lock: scope === 'user' ? [] : verifySkillsCli(context, own) };
}

const MAX_LOOKS = 3;

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
  skill: Installed,
  { context, log, placed }: { context: InstallContext; log: LogState | null; placed: Lock },
): Verified {
  const { name, place, entry } = skill;
  const dir = join(place.store.skills, name);
  const found = driftOf(skill, placed);
  const present = found !== undefined;
  const { sourceHash, ...drift } = found ?? noDrift(entry);
  const runtime = checkRuntime(name, sourceHash, place);
  const deployments = checkDeployments(name, entry, place);
  const isUsable = runtime !== 'missing' && runtime !== 'damaged';
  const isDeployed = deployments.every(({ state }) => state === 'ok');
  const isProved = log === null || log.state === 'ok';
  const ok = isIntact(drift) && isUsable && isDeployed && isProved;
  const strange = place.scope === 'user' ? [] : unconfirmed(entry.accepted, context.workspace.user);
  const accepted = entry.accepted.map((one) => ({ ...one, holds: present && isHeld(dir, one) }));
  const unshared = unsharedEdits(name, { skills: { [name]: entry } }, place);
  const standing = { name, scope: place.scope, ...describeSource(entry.source), ok, present, log };
  const facts = { ...standing, ...drift, runtime, deployments, accepted, unshared };
  const unsure = new Set(strange.map((one) => entry.accepted.indexOf(one)));
  return { ...facts, faults: faultsOf(facts, unsure) };
}

const noDrift = ({ files }: LockedSkill): FileDrift => ({
  ...{ modified: [], extra: [], edited: [], behind: [] },
  missing: Object.keys(files),
  sourceHash: '',
});

/** All differences between an installed skill and a fresh clone after `skc install`. */
function faultsOf(
  skill: Omit<Verified, 'faults'>,
  /** Indexes of acceptances that the user has not confirmed. */
  unsure: ReadonlySet<number>,
): string[] {
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
      .filter(({ holds }, index) => !holds || unsure.has(index))
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

type LogState = NonNullable<Verified['log']>;

/** The states of the skills that come from registries. */
async function checkProofs(
  found: readonly Installed[],
  context: InstallContext,
): Promise<Map<Installed, LogState>> {
  const states = new Map<Installed, LogState>();
  for (const skill of found)
    if (skill.entry.source.startsWith('registry+')) states.set(skill, await checkOne(skill, context));
  return states;
}

async function checkOne({ name, place, entry }: Installed, { workspace }: InstallContext): Promise<LogState> {
  const reading = { cwd: place.base, home: workspace.home, config: await workspace.config() };
  const bad = (why: string, code: string | null = null): LogState => ({ state: 'bad', why, code });
  try {
    const source = readSource(entry.source, reading);
    const { version, digest: archive, document } = entry.resolution;
    if (source.kind !== 'registry' || source.url === undefined) return bad('the source is not of a registry');
    if (version === undefined || archive === undefined || document === undefined)
      return bad('the lock lacks the version or its digests');
    const chosen = await registryAt({ url: source.url, owner: source.owner }, workspace);
    const { url, witnesses } = chosen;
    const key = chosen.key ?? rememberedKey(url, workspace);
    if (key === undefined)
      return { state: 'unpinned', why: `no key of the log of ${url} is pinned`, code: null };
    const proof = readProof(name, place);
    if (proof === null)
      return { state: 'missing', why: `no proof is kept; 'skc update ${name}' fetches it`, code: null };
    checkKeptProof({ name: spellAddress(source), version, document, archive }, proof, {
      key,
      url,
      witnesses,
      workspace,
    });
    return { state: 'ok', why: `the log of ${url} contains it`, code: null };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return bad(error.message, error.code);
  }
}
