// Plans one update from the three versions of a skill.

import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { compareBytes, isThere } from '../../../base/files/index.ts';
import type { LockedSkill } from '../lock/lock.ts';
import { isSameContent, proofAfter } from '../place/place-records.ts';
import {
  checkFileNames,
  type DescribedFiles,
  describeFiles,
  integrityOf,
  readSkillFiles,
  type SkillFiles,
  withLockedModes,
} from '../place/stored-files.ts';
import { editedError } from '../plan/consent.ts';
import { gatherFiles, type OpenSources } from '../restore/gather-files.ts';
import type { FetchedSkill, FetchedSource } from '../source/fetched-source.ts';
import { lockedResolution, spellSource } from '../source/locked-source.ts';
import { compareWithLock, isIntact } from '../verify/check-installed.ts';
import {
  type ConflictStyle,
  describeUnsettled,
  type FileVersions,
  hasMarks,
  mergeFiles,
  placeUnsettled,
  type Unsettled,
} from './merge-files.ts';

/** The effect of an update. */
export interface PlannedUpdate extends Merged {
  /** The lock entry afterwards. */
  readonly entry: LockedSkill;
  readonly changed: readonly string[];
  /** Whether the directory has to be written. */
  readonly isRewritten: boolean;
  /** Whether the directory still has the content the plan was made from. */
  isStillRight(): boolean;
  /** The new version without the user's edits. */
  readonly theirs: SkillFiles;
  /** Proof of the new version; undefined when the present one stays, null for none. */
  readonly proof: string | null | undefined;
}

/** The merged files, and those left to the user. */
interface Merged {
  readonly files: SkillFiles;
  readonly kept: readonly string[];
  readonly merged: readonly string[];
  /** Files that both sides changed, left to the user as requested. */
  readonly unsettled: readonly Unsettled[];
  /** Whether the new version overwrites the user's edits. */
  readonly losesEdits: boolean;
}

/** Inputs of an update. */
interface UpdateInput {
  readonly entry: LockedSkill;
  readonly skill: FetchedSkill;
  readonly fetched: FetchedSource;
  readonly sources: OpenSources;
  /** The entry that skc last wrote there. */
  readonly placed: LockedSkill | undefined;
  readonly force: boolean;
  readonly conflict: ConflictStyle;
}

/** Plans the update of a skill. E212 when both sides changed the same lines, unless `force` or a style decides. */
export async function planUpdate(name: string, input: UpdateInput): Promise<PlannedUpdate> {
  const { entry, skill, fetched, sources } = input;
  const dir = join(sources.place.store.skills, name);
  const read = (from: string) => withLockedModes(readSkillFiles(from), entry);
  const stored = isThere(dir) ? read(dir) : undefined;
  const brought = await bringToLock(name, input, stored);
  const newest = read(skill.dir);
  checkFileNames(newest.keys(), entry.source);
  // Conflicts between this machine and the lock must be resolved before anything newer is installed.
  const isHeld = brought.unsettled.length > 0;
  const theirs = isHeld ? await lockedFiles(name, input) : newest;
  const described = describeFiles(theirs);
  const mine = brought.files;
  const merge: Merged =
    mine === undefined
      ? { files: theirs, kept: [], merged: [], unsettled: [], losesEdits: false }
      : settleMerge(name, { base: await baseOf(name, input, mine), mine, theirs }, input);
  // Without SKILL.md there is no skill: deleting it is not an edit to keep.
  if (!merge.files.has('SKILL.md'))
    throw conflict(name, [{ path: 'SKILL.md', line: 'SKILL.md: you deleted it' }]);
  const unsettled = [...brought.unsettled, ...merge.unsettled];
  const before = stored === undefined ? undefined : fingerprint(stored);
  const resolution = isHeld ? entry.resolution : (skill.resolution ?? fetched.resolution);
  const versions = { before: entry.resolution, after: resolution };
  return {
    ...merge,
    unsettled,
    entry: {
      ...entry,
      source: fetched.source.kind === 'registry' ? spellSource(fetched.source) : entry.source,
      path: isHeld ? entry.path : skill.within,
      resolution: lockedResolution(resolution),
      pinned: false,
      ...described,
      edits: editsOf(name, { ...merge, unsettled }, entry),
    },
    changed: differences(entry, described),
    isRewritten: before !== fingerprint(merge.files),
    isStillRight: () => (isThere(dir) ? fingerprint(read(dir)) : undefined) === before,
    theirs,
    proof: isHeld ? undefined : proofAfter(fetched.proof, versions),
  };
}

/** The kept edits as lock entries. E212 when one still has conflict markers. */
function editsOf(
  name: string,
  { files, unsettled, kept: all }: Merged,
  entry: LockedSkill,
): LockedSkill['edits'] {
  const kept = all.filter((path) => unsettled.every((one) => one.path !== path));
  const marked = kept.filter((path) => hasMarks(files.get(path)?.bytes ?? Buffer.alloc(0)));
  const isNew = (path: string) => entry.edits[path] !== integrityOf(files.get(path)!.bytes);
  if (marked.some(isNew)) {
    const help = `resolve the conflicts, remove the lines with <<<<<<<, ======= and >>>>>>>, then run 'skc update ${name} --yes'`;
    throw editedError(name, marked, help);
  }
  return Object.fromEntries(
    kept.map((path) => {
      const file = files.get(path);
      return [path, file === undefined ? null : integrityOf(file.bytes)];
    }),
  );
}

/** Merges, and leaves conflicts to the user as requested. E212 when the request says to stop. */
function settleMerge(
  name: string,
  versions: FileVersions,
  { force, conflict: style }: Pick<UpdateInput, 'force' | 'conflict'>,
): Merged {
  const { files, conflicts, ...merged } = mergeFiles(versions);
  if (force || conflicts.length === 0)
    return { ...merged, files, unsettled: [], losesEdits: conflicts.length > 0 };
  const { base, mine, theirs } = versions;
  const unsettled = conflicts.map((path) => {
    return { path, base: base.get(path), mine: mine.get(path), theirs: theirs.get(path) };
  });
  if (style === 'stop' || hasCollision(files, conflicts)) throw conflict(name, unsettled.map(tell));
  for (const one of unsettled) {
    const file = placeUnsettled(one, style);
    if (file === undefined) files.delete(one.path);
    else files.set(one.path, file);
  }
  const ordered = new Map([...files].sort(([a], [b]) => compareBytes(a, b)));
  return { ...merged, files: ordered, unsettled, losesEdits: false };
}

/** Whether a file conflicts with a directory on the other side, which an editor cannot resolve. */
const hasCollision = (files: SkillFiles, conflicts: readonly string[]) =>
  conflicts.some((path) => [...files.keys()].some((other) => other.startsWith(`${path}/`)));

/**
 * The user's files as if skc had restored the lock first: after a pull the store still has the files of an earlier lock,
 * and this machine's edits are based on them. The project's edits are included, even if the directory is gone.
 */
async function bringToLock(
  name: string,
  input: UpdateInput,
  stored: SkillFiles | undefined,
): Promise<{ files: SkillFiles | undefined; unsettled: readonly Unsettled[] }> {
  const { entry, force, sources } = input;
  const asIs = { files: stored, unsettled: [] };
  const gather = async (of: LockedSkill) => (await gatherFiles(name, of, { sources, edits: true })).files;
  if (stored === undefined)
    return Object.keys(entry.edits).length === 0 || force ? asIs : { ...asIs, files: await gather(entry) };
  const placed = input.placed ?? { ...entry, edits: {} };
  const dir = join(sources.place.store.skills, name);
  if (isSameContent(placed, entry) || isIntact(compareWithLock(dir, entry, placed))) return asIs;
  return settleMerge(name, { base: await gather(placed), mine: stored, theirs: await gather(entry) }, input);
}

/** The source's files when they were locked. */
async function lockedFiles(name: string, { entry, sources }: UpdateInput): Promise<SkillFiles> {
  return (await gatherFiles(name, entry, { sources, edits: false })).files;
}

/** The base of the user's edits: the installed files as the source had them. E212 when they cannot be had any more. */
async function baseOf(name: string, input: UpdateInput, mine: SkillFiles): Promise<SkillFiles> {
  const { entry } = input;
  const { digest, executable } = describeFiles(mine);
  if (digest === entry.digest && executable.join('\0') === entry.executable.join('\0')) return mine;
  try {
    return await lockedFiles(name, input);
  } catch (error) {
    if (!(error instanceof SkillwrightError) || error.code === 'E217') throw error;
    const isSame = (path: string) => {
      const file = mine.get(path);
      return file !== undefined && integrityOf(file.bytes) === entry.files[path];
    };
    const lost = Object.keys(entry.files).filter((path) => !isSame(path));
    throw conflict(
      name,
      lost.map((path) => ({ path, line: path })),
      error,
    );
  }
}

function differences(entry: LockedSkill, next: DescribedFiles): string[] {
  const paths = new Set([...Object.keys(entry.files), ...Object.keys(next.files)]);
  return [...paths]
    .filter(
      (path) =>
        entry.files[path] !== next.files[path] ||
        entry.executable.includes(path) !== next.executable.includes(path),
    )
    .sort();
}

function fingerprint(files: SkillFiles): string {
  const { digest, executable } = describeFiles(files);
  return JSON.stringify([digest, executable]);
}

const tell = (one: Unsettled) => ({ path: one.path, line: describeUnsettled(one) });

function conflict(
  name: string,
  files: readonly { readonly path: string; readonly line: string }[],
  cause?: SkillwrightError,
): SkillwrightError {
  const why =
    cause === undefined
      ? 'both you and the source changed the same lines'
      : `the version your edits are based on is no longer available (${cause.message})`;
  const help =
    `${why}; 'skc diff ${name} --upstream' shows them, 'skc update ${name} --conflict markers' writes both versions into the ` +
    "files for you to resolve ('--conflict files' writes three separate files), and --force takes the new version and backs up yours";
  const detail = files.map(({ line }) => `  ${line}`).join('\n');
  return SkillwrightError.of(
    'E212',
    { skill: name },
    { help, detail, data: { files: files.map(({ path }) => path) } },
  );
}
