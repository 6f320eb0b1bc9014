// Plans the installation of one skill: its lock entry, its status, and any directory it replaces.

import { join } from 'node:path';
import { hideSecrets, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isThere } from '../../../base/files/index.ts';
import type { StoreScope } from '../../../skill/workspace/index.ts';
import type { ClearedContent, Consent } from '../gate/gate.ts';
import { entryOf, type Lock, type LockedSkill, type LockTarget } from '../lock/lock.ts';
import { skillsCliHash } from '../lock/skills-cli-lock.ts';
import { checkTargets, type InstallContext, type InstallPlace, joinTargets } from '../place/install-place.ts';
import { isSameContent, proofAfter, readPlaced } from '../place/place-records.ts';
import { checkFileNames, listBeside } from '../place/stored-files.ts';
import type { FetchedSkill, FetchedSource } from '../source/fetched-source.ts';
import { showSource, spellForLock } from '../source/locked-source.ts';
import type { SkillPlan } from '../transaction/change-place.ts';
import { compareWithLock, type FileDrift, isIntact } from '../verify/check-installed.ts';
import { editedError } from './consent.ts';
import type { PreviewStatus } from './preview.ts';

/** A request to install. */
export interface InstallRequest extends Consent {
  readonly source: string;
  readonly skills: readonly string[];
  readonly all: boolean;
  /** Values of `--target`; the configured ones when there are none. */
  readonly targets: readonly string[];
  readonly scope?: StoreScope | undefined;
  readonly copy: boolean;
  readonly pin: boolean;
  readonly force: boolean;
  readonly yes: boolean;
  /** Accepts the new content of a moved tag or version. */
  readonly acceptMoved: boolean;
  readonly dryRun: boolean;
  readonly offline: boolean;
  /** Asks for agents, scope and method, after the skills were chosen and scanned. */
  readonly settle?: (() => Promise<Pick<InstallRequest, 'targets' | 'scope' | 'copy'>>) | undefined;
  /** Hashes from a `skills-lock.json`, by skill name. */
  readonly expected?: ReadonlyMap<string, string> | undefined;
  /** The origin to record in the lock, when the files are taken from somewhere else. */
  readonly lockedAs?: Pick<LockedSkill, 'source' | 'path'> | undefined;
}

/** Inputs of an installation. */
export interface InstallWork {
  readonly request: InstallRequest;
  readonly context: InstallContext;
  readonly place: InstallPlace;
  readonly targets: readonly LockTarget[];
}

/** One skill to install. */
export interface InstallPlan {
  readonly name: string;
  readonly skill: FetchedSkill;
  readonly entry: LockedSkill;
  /** Proof that the registry's log contains it. */
  readonly proof?: string | undefined;
}

/** The plan for a fetched skill. E204 when it does not match another tool's lock, E210 for names no lock can hold. */
export function planSkill(skill: FetchedSkill, work: InstallWork & { fetched: FetchedSource }): InstallPlan {
  const { request, context, targets, place } = work;
  const fetched = skill.from ?? work.fetched;
  const source = request.lockedAs?.source ?? spellForLock(fetched.source, place);
  checkExpected(skill, request);
  checkFileNames(skill.files(), source);
  const { commit, tag, version, digest, document } = skill.resolution ?? fetched.resolution;
  const entry = {
    source,
    path: request.lockedAs?.path ?? skill.within,
    resolution: { commit, tag, version, digest, document },
    pinned: request.pin,
    ...skill.content,
    edits: {},
    accepted: [],
    targets: [...targets],
    installed_at: context.now().toISOString(),
  };
  return { name: skill.name, skill, entry, proof: fetched.proof };
}

/** E204 when another tool's lock has a different hash for the skill. */
function checkExpected({ name, dir }: FetchedSkill, { expected, source }: InstallRequest): void {
  const hash = expected?.get(name);
  if (hash === undefined || skillsCliHash(dir) === hash) return;
  const help = `the source has changed since; 'skc install ${source} --skill ${name}' installs the current version`;
  throw SkillwrightError.of('E204', { what: name }, { help });
}

/** Status of a skill before it is installed. */
export function statusOf(
  name: string,
  entry: LockedSkill,
  { known, place }: { known: LockedSkill | undefined; place: InstallPlace },
): PreviewStatus {
  if (known === undefined) return isThere(join(place.store.skills, name)) ? 'replace' : 'new';
  if (!isSameOrigin(known, entry)) return 'replace';
  return known.digest === entry.digest ? 'unchanged' : 'update';
}

/** Whether an installed skill has the same source as the new one; another branch or range is the same source. */
export function isSameOrigin(known: LockedSkill | undefined, entry: LockedSkill): boolean {
  return known !== undefined && originKey(known) === originKey(entry);
}

function originKey({ source, path }: LockedSkill): string {
  const name = /^(?:npm:|registry:|registry\+[^#]*#)/.exec(source)?.[0];
  const end = name === undefined ? source.indexOf('#') : source.indexOf('@', name.length + 1);
  const place = end === -1 || /^[.~]/.test(source) ? source : source.slice(0, end);
  return `${place}\0${path}`;
}

/** Decides about the existing directory. E013 when skc did not install it, E212 when it was edited. */
export function settleConflict(
  name: string,
  entry: LockedSkill,
  { lock, place, request }: InstallWork & { lock: Lock },
): { keep: boolean } {
  const dir = join(place.store.skills, name);
  const known = entryOf(lock, name);
  if (!isThere(dir)) return { keep: false };
  const isEdited = known !== undefined && (hasEdits(name, known, place) || listBeside(dir).length > 0);
  if (request.force) return { keep: known === undefined || !isSameOrigin(known, entry) || isEdited };
  if (known === undefined) {
    const help = 'skc did not install it; pass --force to replace it and keep a backup';
    throw SkillwrightError.of('E013', { path: dir }, { help });
  }
  if (!isSameOrigin(known, entry)) {
    const [before, now] = [known, entry].map(({ source }) => showSource(hideSecrets(source))) as [
      string,
      string,
    ];
    if (known.source.startsWith('registry+') && entry.source.startsWith('registry+'))
      throw SkillwrightError.of(
        'E240',
        { skill: name, known: before, other: now },
        {
          help: `'skc uninstall ${name} --scope ${place.scope}' removes the installed one; --force replaces it and keeps a backup`,
          data: { known: known.source, other: entry.source },
        },
      );
    const help = `it was installed from ${hideSecrets(known.source)}; uninstall it first, or pass --force to replace it and keep a backup`;
    throw SkillwrightError.of('E013', { path: dir }, { help, data: { source: hideSecrets(known.source) } });
  }
  if (known.digest !== entry.digest && isEdited) {
    const help = `'skc update ${name}' keeps your edits; --force replaces them and keeps a backup`;
    throw SkillwrightError.of('E212', { skill: name }, { help });
  }
  return { keep: false };
}

function hasEdits(name: string, known: LockedSkill, place: InstallPlace): boolean {
  const dir = join(place.store.skills, name);
  const drift = compareWithLock(dir, known, entryOf(readPlaced(place), name));
  return drift.modified.length + drift.extra.length + Object.keys(known.edits).length > 0;
}

/**
 * The changes that install plans under the lock as it is now. Another process may have been faster: the user's consent must
 * still apply. E013 and E212 when something is now in the way.
 */
export async function changesOf(
  plans: readonly InstallPlan[],
  work: InstallWork & { readonly lock: Lock; readonly cleared: ReadonlyMap<string, ClearedContent> },
): Promise<SkillPlan[]> {
  const { place, request, context, cleared, lock } = work;
  const placed = readPlaced(place);
  const changeOf = async ({ name, entry, proof: fetched }: InstallPlan): Promise<SkillPlan> => {
    const content = cleared.get(name)!;
    const { keep } = settleConflict(name, entry, { ...work, lock });
    const known = entryOf(lock, name);
    const isSame = isSameOrigin(known, entry);
    const versions = { before: isSame ? known?.resolution : undefined, after: entry.resolution };
    const proof = proofAfter(fetched, versions);
    const targets = joinTargets(isSame ? known!.targets : [], entry.targets);
    await checkTargets(name, targets, { place, context, force: request.force });
    const dir = join(place.store.skills, name);
    const drift =
      isSame && known!.digest === entry.digest && isThere(dir)
        ? compareWithLock(dir, known!, entryOf(placed, name))
        : undefined;
    const stays =
      drift !== undefined &&
      !request.force &&
      (isIntact(drift) || drift.modified.length + drift.extra.length > 0);
    if (!request.force && known?.digest === entry.digest)
      checkEdits(name, known, { drift, stays, placed: entryOf(placed, name) });
    const pinned = entry.pinned || (isSame && known!.pinned);
    const after = { ...entry, targets, pinned };
    if (!stays) return { name, after, keep, content, proof };
    const { edits, installed_at } = known!;
    return { name, after: { ...after, edits, installed_at }, stays: content, proof };
  };
  const changes: SkillPlan[] = [];
  for (const plan of plans) changes.push(await changeOf(plan));
  return changes;
}

/** E212 when writing the source's version would lose edits of the project or of this machine. */
function checkEdits(
  name: string,
  known: LockedSkill,
  {
    drift,
    stays,
    placed = known,
  }: { drift: FileDrift | undefined; stays: boolean; placed: LockedSkill | undefined },
): void {
  const { edits } = known;
  // The edits are based on an earlier lock and must not count as edits of this one.
  if (stays && !isIntact(drift!) && !isSameContent(placed, known))
    throw editedError(name, [...drift!.modified, ...drift!.extra], `'skc update ${name}' keeps your edits`);
  if (!stays && Object.keys(edits).length > 0)
    throw editedError(name, Object.keys(edits), "'skc install' restores it with the project's edits");
}
