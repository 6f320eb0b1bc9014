// One update: the three versions of a skill, and what comes of them.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { isThere } from '../../../base/files/index.ts';
import type { LockedSkill } from '../lock/lock.ts';
import type { ContentCache } from '../place/content-cache.ts';
import {
  checkFileNames,
  type DescribedFiles,
  describeFiles,
  integrityOf,
  readSkillFiles,
  type SkillFile,
  type SkillFiles,
} from '../place/stored-files.ts';
import { editedError } from '../plan/edited-error.ts';
import { gatherFiles, type OpenSources } from '../restore/gather-files.ts';
import type { FetchedSkill, FetchedSource } from '../source/fetched-source.ts';
import { spellSource } from '../source/spell-source.ts';
import { mergeFiles } from './merge-files.ts';

/** What an update would do. */
export interface PlannedUpdate {
  /** The entry of the lock afterwards. */
  readonly entry: LockedSkill;
  readonly files: SkillFiles;
  readonly changed: readonly string[];
  readonly kept: readonly string[];
  readonly merged: readonly string[];
  /** Whether the directory has to be written. */
  readonly isRewritten: boolean;
  /** Whether edits of the user give way to the new version. */
  readonly losesEdits: boolean;
  /** Whether the directory still holds what the plan was made from. */
  isStillRight(): boolean;
  /** The new version without the user's edits. */
  readonly theirs: SkillFiles;
}

/** What an update starts from. */
export interface UpdateInput {
  readonly entry: LockedSkill;
  readonly skill: FetchedSkill;
  readonly fetched: FetchedSource;
  readonly dir: string;
  readonly cache: ContentCache;
  readonly sources: OpenSources;
  readonly force: boolean;
}

/** Plans the update of a skill. E212 when both sides changed the same lines, unless `force` takes the new version. */
export async function planUpdate(name: string, input: UpdateInput): Promise<PlannedUpdate> {
  const { entry, skill, fetched, dir, force } = input;
  const theirs = readSkillFiles(skill.dir);
  checkFileNames(theirs, entry.source);
  const described = describeFiles(theirs);
  const changed = differences(entry, described);
  const mine = isThere(dir) ? readSkillFiles(dir) : undefined;
  const base = mine === undefined || isUnedited(mine, entry) ? mine : await baseOf(name, input, mine);
  const result = mine === undefined ? undefined : mergeFiles({ base: base!, mine, theirs });
  const isConflict = (result?.conflicts.length ?? 0) > 0;
  if (isConflict && !force) throw conflict(name, result!.conflicts);
  const merge = result ?? { files: theirs, kept: [], merged: [] };
  // Without it there is no skill: deleting it is no edit that could be kept.
  if (!merge.files.has('SKILL.md')) throw conflict(name, ['SKILL.md']);
  const resolution = skill.resolution ?? fetched.resolution;
  const edits = Object.fromEntries(
    merge.kept.map((path) => {
      const file = merge.files.get(path);
      return [path, file === undefined ? null : integrityOf(file.bytes)];
    }),
  );
  const before = mine === undefined ? undefined : fingerprint(mine);
  const { commit, tag, version, digest } = resolution;
  return {
    entry: {
      ...entry,
      source: fetched.source.kind === 'registry' ? spellSource(fetched.source) : entry.source,
      path: skill.path,
      resolution: { commit, tag, version, digest },
      pinned: false,
      ...described,
      edits,
    },
    files: merge.files,
    changed,
    kept: merge.kept,
    merged: merge.merged,
    isRewritten: before !== fingerprint(merge.files),
    losesEdits: isConflict,
    isStillRight: () =>
      mine === undefined ? !isThere(dir) : isThere(dir) && fingerprint(readSkillFiles(dir)) === before,
    theirs,
  };
}

/** What was installed, as the source had it: where the user edited from. */
async function baseOf(name: string, input: UpdateInput, mine: SkillFiles): Promise<Map<string, SkillFile>> {
  const { entry, dir, cache, sources } = input;
  // The user's own content is the base wherever it is still the source's.
  const same = new Map([...mine].filter(([path, { bytes }]) => entry.files[path] === integrityOf(bytes)));
  if (Object.keys(entry.files).every((path) => same.has(path))) return withModes(same, entry);
  try {
    const { files } = await gatherFiles(name, entry, { dir, cache, sources, force: true });
    return files;
  } catch (error) {
    if (!(error instanceof SkillwrightError) || error.code === 'E217') throw error;
    throw conflict(
      name,
      Object.keys(entry.files).filter((path) => !same.has(path)),
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

function conflict(name: string, files: readonly string[], cause?: SkillwrightError): SkillwrightError {
  const why = cause === undefined ? '' : `; what was installed cannot be had any more (${cause.message})`;
  const help = `both you and the source changed the same lines${why}; settle them, or pass --force, which keeps a backup`;
  return editedError(name, files, help);
}
