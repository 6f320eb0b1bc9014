// Plans the installation of one skill: its lock entry, its status, and any directory it replaces.

import { join } from 'node:path';
import { hideSecrets, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isThere } from '../../../base/files/index.ts';
import { entryOf, type LockedSkill, type LockTarget, type ReadLock } from '../lock/lock.ts';
import { skillsCliHash } from '../lock/skills-cli-lock.ts';
import { checkTargets, type InstallContext, type InstallPlace, joinTargets } from '../place/install-place.ts';
import { isSameContent, proofAfter } from '../place/place-records.ts';
import { checkFileNames, listBeside } from '../place/stored-files.ts';
import type { FetchedSkill, FetchedSource } from '../source/fetched-source.ts';
import { lockedResolution, showSource, spellForLock } from '../source/locked-source.ts';
import type { LocksNow, SkillPlan } from '../transaction/change-place.ts';
import { driftOf, editsIn, isIntact } from '../verify/check-installed.ts';
import { spellInstall } from './choose-skills.ts';
import { type ChangeRequest, editedError } from './consent.ts';
import type { Preview, PreviewStatus } from './preview.ts';

/** A request to install. */
export interface InstallRequest extends ChangeRequest {
  readonly source: string;
  readonly all: boolean;
  /** Values of `--target`; the configured ones when there are none. */
  readonly targets: readonly string[];
  readonly copy: boolean;
  readonly pin: boolean;
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
  readonly fetched: FetchedSource;
  readonly place: InstallPlace;
  readonly targets: readonly LockTarget[];
  readonly read: ReadLock;
}

/** One skill to install, as it is shown before. */
export interface InstallPlan extends Preview {
  readonly skill: FetchedSkill;
  readonly entry: LockedSkill;
  /** Proof that the registry's log contains it. */
  readonly proof?: string | undefined;
}

/** The plan for a fetched skill. E204 when it does not match another tool's lock, E210 for names no lock can hold. */
export function planSkill(
  { skill, review }: Pick<InstallPlan, 'skill' | 'review'>,
  { request, context, targets, place, read, ...work }: InstallWork,
): InstallPlan {
  const { name, description, within: path } = skill;
  const fetched = skill.from ?? work.fetched;
  const source = request.lockedAs?.source ?? spellForLock(fetched.source, place);
  checkExpected(skill, request);
  checkFileNames(skill.files(), source);
  const entry = {
    source,
    path: request.lockedAs?.path ?? path,
    resolution: lockedResolution(skill.resolution ?? fetched.resolution),
    pinned: request.pin,
    ...skill.content,
    edits: {},
    accepted: [],
    targets: [...targets],
    installed_at: context.now().toISOString(),
  };
  const known = entryOf(read.lock, name);
  const joined = joinTargets(isSameOrigin(known, entry) ? known!.targets : [], targets);
  const agents = joined.map(({ agent }) => agent);
  const status = statusOf(name, entry, { known, place });
  return { name, description, path, status, review, agents, skill, entry, proof: fetched.proof };
}

/** E204 when another tool's lock has a different hash for the skill. */
function checkExpected({ name, dir }: FetchedSkill, { expected, source }: InstallRequest): void {
  const hash = expected?.get(name);
  if (hash === undefined || skillsCliHash(dir) === hash) return;
  const help = `the source has changed since; 'skc install ${source} --skill ${name}' installs the current version`;
  throw SkillwrightError.of('E204', { what: name }, { help });
}

/** Status of a skill before it is installed. */
function statusOf(
  name: string,
  entry: LockedSkill,
  { known, place }: { known: LockedSkill | undefined; place: InstallPlace },
): PreviewStatus {
  if (known === undefined) return isThere(join(place.store.skills, name)) ? 'replace' : 'new';
  if (!isSameOrigin(known, entry)) return 'replace';
  return known.digest === entry.digest ? 'unchanged' : 'update';
}

/** Whether an installed skill has the same source as the new one; another branch or range is the same source. */
function isSameOrigin(known: LockedSkill | undefined, entry: LockedSkill): boolean {
  return known !== undefined && originKey(known) === originKey(entry);
}

function originKey({ source, path }: LockedSkill): string {
  const name = /^(?:npm:|registry:|registry\+[^#]*#)/.exec(source)?.[0];
  const end = name === undefined ? source.indexOf('#') : source.indexOf('@', name.length + 1);
  const place = end === -1 || /^[.~]/.test(source) ? source : source.slice(0, end);
  return `${place}\0${path}`;
}

/** The directory of a skill in the store when it is installed: it stays, or is replaced, with or without a backup. */
interface Fate {
  readonly stays: boolean;
  readonly keep: boolean;
}

/**
 * Decides about the directory of a skill. E013 and E240 when something else is there, E212 when edits of the project or
 * of this machine would be lost.
 */
export function decideFate(
  name: string,
  entry: LockedSkill,
  { lock, placed, place, request }: InstallWork & LocksNow,
): Fate {
  const { force } = request;
  const dir = join(place.store.skills, name);
  const known = entryOf(lock, name);
  const isSame = isSameOrigin(known, entry);
  const isEqual = known?.digest === entry.digest;
  const projectEdits = Object.keys(known?.edits ?? {});
  if (!isThere(dir)) {
    if (!force && isEqual && projectEdits.length > 0) throw restoringError(name, projectEdits);
    return { stays: false, keep: false };
  }
  const drift = known === undefined ? undefined : driftOf({ name, place, entry: known }, placed);
  const edits = editsIn(drift);
  const isEdited = () => edits.length + projectEdits.length + listBeside(dir).length > 0;
  if (force) return { stays: false, keep: !isSame || isEdited() };
  if (known === undefined || !isSame) throw occupiedError(name, { dir, known, entry, place, request });
  if (!isEqual) {
    if (!isEdited()) return { stays: false, keep: false };
    const help = `'skc update ${name}' keeps your edits; to replace them and keep a backup: ${forcing(name, place, request)}`;
    throw SkillwrightError.of('E212', { skill: name }, { help });
  }
  const isRight = drift !== undefined && isIntact(drift);
  if (isRight) return { stays: true, keep: false };
  // The edits are based on an earlier lock and must not count as edits of this one.
  if (edits.length > 0 && !isSameContent(entryOf(placed, name) ?? known, known))
    throw editedError(name, edits, `'skc update ${name}' keeps your edits`);
  if (edits.length === 0 && projectEdits.length > 0) throw restoringError(name, projectEdits);
  return { stays: edits.length > 0, keep: false };
}

const restoringError = (name: string, edits: readonly string[]) =>
  editedError(name, edits, "'skc install' restores it with the project's edits");

const forcing = (name: string, { scope }: InstallPlace, request: InstallRequest) =>
  `${spellInstall({ ...request, force: true })} --skill ${name} --scope ${scope}`;

/** E013 for a directory that skc did not install, or installed from elsewhere; E240 for another skill of a registry. */
function occupiedError(
  name: string,
  {
    dir,
    known,
    entry,
    place,
    request,
  }: Pick<InstallWork, 'place' | 'request'> & {
    readonly dir: string;
    readonly known: LockedSkill | undefined;
    readonly entry: LockedSkill;
  },
): SkillwrightError {
  const replacing = `to replace it and keep a backup: ${forcing(name, place, request)}`;
  if (known === undefined)
    return SkillwrightError.of('E013', { path: dir }, { help: `skc did not install it; ${replacing}` });
  const shown = ({ source }: LockedSkill) => showSource(source);
  if ([known, entry].every(({ source }) => source.startsWith('registry+')))
    return SkillwrightError.of(
      'E240',
      { skill: name, known: shown(known), other: shown(entry) },
      {
        help: `'skc uninstall ${name} --scope ${place.scope}' removes the installed one; ${replacing}`,
        data: { known: known.source, other: entry.source },
      },
    );
  const source = hideSecrets(known.source);
  const help = `it was installed from ${shown(known)}; ${replacing}`;
  return SkillwrightError.of('E013', { path: dir }, { help, data: { source } });
}

/** The change that installs a skill; its content is cleared apart. */
export type InstallChange = Omit<SkillPlan, 'content' | 'stays'> & Pick<Fate, 'stays'>;

/**
 * The change that installs a skill under the lock as it is now, checked. The user's consent must still apply. E013, E212 and E240 when
 * something is in the way.
 */
export async function changeOf(
  { name, entry, proof: fetched }: InstallPlan,
  work: InstallWork & LocksNow,
): Promise<InstallChange> {
  const { place, request, context, lock } = work;
  const { force } = request;
  const named = request.targets.length > 0 ? work.targets : [];
  const fate = decideFate(name, entry, work);
  const found = entryOf(lock, name);
  const known = isSameOrigin(found, entry) ? found : undefined;
  const targets = joinTargets(known?.targets ?? [], entry.targets);
  await checkTargets(name, targets, { place, context, force, named });
  const proof = proofAfter(fetched, { before: known?.resolution, after: entry.resolution });
  const pinned = entry.pinned || known?.pinned === true;
  const { edits, installed_at } = fate.stays ? found! : entry;
  return { name, after: { ...entry, targets, pinned, edits, installed_at }, ...fate, proof };
}
