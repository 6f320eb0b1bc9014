// Plans one update from the three versions of a skill.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { compareBytes, isThere } from '../../../base/files/index.ts';
import type { LockedSkill } from '../lock/lock.ts';
import type { ContentCache } from '../place/content-cache.ts';
import type { InstallPlace } from '../place/install-place.ts';
import { isSameContent, proofAfter } from '../place/place-records.ts';
import {
  checkFileNames,
  type DescribedFiles,
  describeFiles,
  integrityOf,
  readSkillFiles,
  type SkillFile,
  type SkillFiles,
  withLockedModes,
} from '../place/stored-files.ts';
import { editedError } from '../plan/consent.ts';
import { gatherFiles, type OpenSources } from '../restore/gather-files.ts';
import type { FetchedSkill, FetchedSource } from '../source/fetched-source.ts';
import { spellSource } from '../source/locked-source.ts';
import { compareWithLock, isIntact } from '../verify/check-installed.ts';
import {
  type ConflictStyle,
  describeUnsettled,
  type FileVersions,
  hasMarks,
  mergeFiles,
  placeUnsettled,
  type Unsettled,
  unsettledOf,
} from './merge-files.ts';

/** The effect of an update. */
export interface PlannedUpdate {
  /** The lock entry afterwards. */
  readonly entry: LockedSkill;
  readonly files: SkillFiles;
  readonly changed: readonly string[];
  readonly kept: readonly string[];
  readonly merged: readonly string[];
  /** Files that both sides changed, left to the user as requested. */
  readonly unsettled: readonly Unsettled[];
  /** Whether the directory has to be written. */
  readonly isRewritten: boolean;
  /** Whether the new version overwrites the user's edits. */
  readonly losesEdits: boolean;
  /** Whether the directory still has the content the plan was made from. */
  isStillRight(): boolean;
  /** The new version without the user's edits. */
  readonly theirs: SkillFiles;
  /** Proof of the new version; undefined when the present one stays, null for none. */
  readonly proof: string | null | undefined;
}

/** Inputs of an update. */
interface UpdateInput {
  readonly entry: LockedSkill;
  readonly skill: FetchedSkill;
  readonly fetched: FetchedSource;
  readonly dir: string;
  readonly cache: ContentCache;
  readonly sources: OpenSources;
  readonly place: InstallPlace;
  /** The entry that skc last wrote there. */
  readonly placed: LockedSkill | undefined;
  readonly force: boolean;
  readonly conflict: ConflictStyle;
}

/** Plans the update of a skill. E212 when both sides changed the same lines, unless `force` or a style decides. */
export async function planUpdate(name: string, input: UpdateInput): Promise<PlannedUpdate> {
  const { entry, skill, fetched, dir } = input;
  const read = (from: string) => withLockedModes(readSkillFiles(from), entry);
  const stored = isThere(dir) ? read(dir) : undefined;
  const brought = await bringToLock(name, input, stored);
  const newest = read(skill.dir);
  checkFileNames(newest.keys(), entry.source);
  // Conflicts between this machine and the lock must be resolved before anything newer is installed.
  const theirs = brought.isUnsettled ? await lockedFiles(name, input) : newest;
  const described = describeFiles(theirs);
  const mine = brought.files;
  const base = mine === undefined || isUnedited(mine, entry) ? mine : await originalsOf(name, input, mine);
  const merge = settleMerge(name, {
    versions: mine === undefined ? undefined : { base: base!, mine, theirs },
    theirs,
    input,
    earlier: brought.unsettled,
  });
  // Without SKILL.md there is no skill: deleting it is not an edit to keep.
  if (!merge.files.has('SKILL.md'))
    throw conflict(name, [{ path: 'SKILL.md', line: 'SKILL.md: you deleted it' }]);
  const edits = editsOf(name, merge, entry);
  const before = stored === undefined ? undefined : fingerprint(stored);
  const resolution = brought.isUnsettled ? entry.resolution : (skill.resolution ?? fetched.resolution);
  const { commit, tag, version, digest, document } = resolution;
  return {
    entry: {
      ...entry,
      source: fetched.source.kind === 'registry' ? spellSource(fetched.source) : entry.source,
      path: brought.isUnsettled ? entry.path : skill.within,
      resolution: { commit, tag, version, digest, document },
      pinned: false,
      ...described,
      edits,
    },
    files: merge.files,
    changed: differences(entry, described),
    kept: merge.kept,
    merged: merge.merged,
    unsettled: merge.unsettled,
    isRewritten: before !== fingerprint(merge.files),
    losesEdits: merge.losesEdits,
    isStillRight: () =>
      stored === undefined ? !isThere(dir) : isThere(dir) && fingerprint(read(dir)) === before,
    theirs,
    proof: brought.isUnsettled
      ? undefined
      : proofAfter(fetched.proof, { before: entry.resolution, after: resolution }),
  };
}

/** The kept edits as lock entries. E212 when one still has conflict markers. */
function editsOf(name: string, merge: Settled, entry: LockedSkill): LockedSkill['edits'] {
  const unsettled = new Set(merge.unsettled.map(({ path }) => path));
  const kept = merge.kept.filter((path) => !unsettled.has(path));
  const marked = kept.filter((path) => hasMarks(merge.files.get(path)?.bytes ?? Buffer.alloc(0)));
  const isNew = (path: string) => entry.edits[path] !== integrityOf(merge.files.get(path)!.bytes);
  if (marked.some(isNew)) {
    const help = `resolve the conflicts, remove the lines with <<<<<<<, ======= and >>>>>>>, then run 'skc update ${name} --yes'`;
    throw editedError(name, marked, help);
  }
  return Object.fromEntries(
    kept.map((path) => {
      const file = merge.files.get(path);
      return [path, file === undefined ? null : integrityOf(file.bytes)];
    }),
  );
}

/** The merged files, and those left to the user. */
interface Settled {
  readonly files: Map<string, SkillFile>;
  readonly kept: readonly string[];
  readonly merged: readonly string[];
  readonly unsettled: readonly Unsettled[];
  readonly losesEdits: boolean;
}

/** Merges, and handles conflicts as requested. E212. */
function settleMerge(
  name: string,
  {
    versions,
    theirs,
    input,
    earlier,
  }: {
    versions: FileVersions | undefined;
    theirs: SkillFiles;
    input: UpdateInput;
    earlier: readonly Unsettled[];
  },
): Settled {
  if (versions === undefined)
    return { files: new Map(theirs), kept: [], merged: [], unsettled: [], losesEdits: false };
  const result = mergeFiles(versions);
  const isConflict = result.conflicts.length > 0;
  const found = unsettledOf(result.conflicts, versions);
  if (isConflict && !input.force && (input.conflict === 'stop' || hasCollision(result.files, found)))
    throw conflict(name, found.map(tell));
  const unsettled = input.force ? [] : [...earlier, ...found];
  if (!input.force)
    for (const one of found) {
      const { file } = placeUnsettled(one, input.conflict);
      if (file === undefined) result.files.delete(one.path);
      else result.files.set(one.path, file);
    }
  const files = new Map([...result.files].sort(([a], [b]) => compareBytes(a, b)));
  const { kept, merged } = result;
  return { files, kept, merged, unsettled, losesEdits: input.force && isConflict };
}

/** Whether a file conflicts with a directory on the other side, which an editor cannot resolve. */
const hasCollision = (files: SkillFiles, unsettled: readonly Unsettled[]) =>
  unsettled.some(({ path }) => [...files.keys()].some((other) => other.startsWith(`${path}/`)));

/**
 * The user's files as if skc had restored the lock first: after a pull the store still has the files of an earlier lock,
 * and this machine's edits are based on them. The project's edits are included, even if the directory is gone.
 */
async function bringToLock(
  name: string,
  input: UpdateInput,
  stored: SkillFiles | undefined,
): Promise<{ files: SkillFiles | undefined; unsettled: readonly Unsettled[]; isUnsettled: boolean }> {
  const { entry, force } = input;
  const asIs = { files: stored, unsettled: [], isUnsettled: false };
  const gather = async (of: LockedSkill) => (await gatherFiles(name, of, { ...input, edits: true })).files;
  if (stored === undefined)
    return Object.keys(entry.edits).length === 0 || force ? asIs : { ...asIs, files: await gather(entry) };
  const placed = input.placed ?? { ...entry, edits: {} };
  if (isSameContent(placed, entry) || isIntact(compareWithLock(input.dir, entry, placed))) return asIs;
  const versions = { base: await gather(placed), mine: stored, theirs: await gather(entry) };
  const result = mergeFiles(versions);
  if (result.conflicts.length === 0) return { ...asIs, files: result.files };
  const unsettled = unsettledOf(result.conflicts, versions);
  if (force) return { ...asIs, files: result.files };
  if (input.conflict === 'stop') throw conflict(name, unsettled.map(tell));
  for (const one of unsettled) {
    const { file } = placeUnsettled(one, input.conflict);
    if (file !== undefined) result.files.set(one.path, file);
  }
  return { files: result.files, unsettled, isUnsettled: true };
}

/** The source's files when they were locked. */
async function lockedFiles(name: string, input: UpdateInput): Promise<SkillFiles> {
  return (await gatherFiles(name, input.entry, { ...input, edits: false })).files;
}

/** The base of the user's edits: the installed files as the source had them. */
async function originalsOf(
  name: string,
  input: UpdateInput,
  mine: SkillFiles,
): Promise<Map<string, SkillFile>> {
  const { entry } = input;
  // Use the user's own file as the base if it is still the source's.
  const same = new Map([...mine].filter(([path, { bytes }]) => entry.files[path] === integrityOf(bytes)));
  if (Object.keys(entry.files).every((path) => same.has(path))) return withModes(same, entry);
  try {
    const { files } = await gatherFiles(name, entry, { ...input, edits: false });
    return files;
  } catch (error) {
    if (!(error instanceof SkillwrightError) || error.code === 'E217') throw error;
    throw conflict(
      name,
      Object.keys(entry.files)
        .filter((path) => !same.has(path))
        .map((path) => ({ path, line: path })),
      error,
    );
  }
}

const withModes = (files: Map<string, SkillFile>, { executable }: LockedSkill): Map<string, SkillFile> =>
  new Map([...files].map(([path, { bytes }]) => [path, { bytes, executable: executable.includes(path) }]));

function isUnedited(mine: SkillFiles, entry: LockedSkill): boolean {
  const { digest, executable } = describeFiles(mine);
  return digest === entry.digest && executable.join('\0') === entry.executable.join('\0');
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
