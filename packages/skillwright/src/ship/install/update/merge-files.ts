// Merges a new version of a skill into one that the user has edited, file by file and line by line, without losing a
// change. Conflicts are reported, and written for an editor to resolve.

import { join } from 'node:path';
import { diff3Merge } from 'node-diff3';
import {
  compareBytes,
  decodeText,
  isThere,
  joinInside,
  refuseLinks,
  removePath,
  writeFileAtomic,
} from '../../../base/files/index.ts';
import type { InstallPlace } from '../place/install-place.ts';
import type { SkillFile, SkillFiles } from '../place/stored-files.ts';

/** Result of a merge. */
interface MergedFiles {
  /** In bytewise order of their paths. */
  readonly files: Map<string, SkillFile>;
  /** Files that differ from the new version because the user changed, added or deleted them. */
  readonly kept: string[];
  /** Files with both sides' changes merged. */
  readonly merged: string[];
  /** Files that both sides changed differently. */
  readonly conflicts: string[];
}

/** The three versions of a skill. */
export interface FileVersions {
  readonly base: SkillFiles;
  readonly mine: SkillFiles;
  readonly theirs: SkillFiles;
}

/**
 * Merges the user's files and the new version, both made from `base`. A file that cannot be merged is a conflict, and
 * the result has the new version of it.
 */
export function mergeFiles({ base, mine, theirs }: FileVersions): MergedFiles {
  const result: MergedFiles = { files: new Map(), kept: [], merged: [], conflicts: [] };
  const paths = [...new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])].sort(compareBytes);
  for (const path of paths) {
    const [from, ours, new_] = [base.get(path), mine.get(path), theirs.get(path)];
    const chosen = choose(from, ours, new_);
    if (chosen === 'conflict') {
      result.conflicts.push(path);
      if (new_ !== undefined) result.files.set(path, new_);
      continue;
    }
    if (chosen.file !== undefined) result.files.set(path, chosen.file);
    if (chosen.isMerged) result.merged.push(path);
    if (!isSameFile(chosen.file, new_)) result.kept.push(path);
  }
  const colliding = collisions(result.files);
  if (colliding.length === 0) return result;
  return { files: new Map(theirs), kept: [], merged: [], conflicts: [...result.conflicts, ...colliding] };
}

type Choice = { readonly file: SkillFile | undefined; readonly isMerged?: boolean } | 'conflict';

function choose(
  base: SkillFile | undefined,
  mine: SkillFile | undefined,
  theirs: SkillFile | undefined,
): Choice {
  if (isSameFile(mine, base)) return { file: theirs };
  if (isSameFile(theirs, base) || isSameFile(mine, theirs)) return { file: mine };
  if (base === undefined || mine === undefined || theirs === undefined) return 'conflict';
  const bytes = mergeText({ base: base.bytes, mine: mine.bytes, theirs: theirs.bytes });
  if (bytes === undefined) return 'conflict';
  const executable = mine.executable === base.executable ? theirs.executable : mine.executable;
  return { file: { bytes, executable }, isMerged: !bytes.equals(mine.bytes) && !bytes.equals(theirs.bytes) };
}

/** Whether two files are equal in bytes and mode; two missing files are equal. */
export function isSameFile(a: SkillFile | undefined, b: SkillFile | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.executable === b.executable && a.bytes.equals(b.bytes);
}

/** Files of one side where the other side has a directory. */
function collisions(files: ReadonlyMap<string, SkillFile>): string[] {
  return [...files.keys()].filter((path) => {
    const parts = path.split('/');
    return parts.some((_, index) => index > 0 && files.has(parts.slice(0, index).join('/')));
  });
}

/** The worst case is quadratic in lines: longer texts are left to the user. */
const MAX_MERGE_BYTES = 2 * 1024 * 1024;

/** The three versions of one file. */
interface MergeInput {
  readonly base: Buffer;
  readonly mine: Buffer;
  readonly theirs: Buffer;
}

/** The merged text; undefined when both changed the same lines, or when it is not text. Line endings are kept. */
export function mergeText({ base, mine, theirs }: MergeInput): Buffer | undefined {
  if (mine.equals(theirs) || theirs.equals(base)) return mine;
  if (mine.equals(base)) return theirs;
  const regions = regionsOf({ base, mine, theirs });
  if (regions === undefined || regions.some(({ ok }) => ok === undefined)) return undefined;
  return Buffer.from(regions.flatMap(({ ok }) => ok ?? []).join(''));
}

/** Lines of the user's version that both sides changed, counted from 1; undefined when it is not text. */
function findConflicts(input: MergeInput): { first: number; last: number }[] | undefined {
  const found: { first: number; last: number }[] = [];
  let line = 1;
  for (const { ok, conflict } of regionsOf(input) ?? []) {
    const length = (ok ?? conflict?.a ?? []).length;
    if (ok === undefined) found.push({ first: line, last: line + Math.max(length, 1) - 1 });
    line += length;
  }
  return regionsOf(input) === undefined ? undefined : found;
}

const [MARK_YOURS, MARK_BETWEEN, MARK_THEIRS] = ['<<<<<<< yours', '=======', '>>>>>>> theirs'];

/** Both versions in one text, with conflict markers around the lines that both sides changed; undefined when not text. */
function markConflicts(input: MergeInput): Buffer | undefined {
  const lines = regionsOf(input)?.flatMap(({ ok, conflict }) =>
    ok !== undefined
      ? ok
      : [
          `${MARK_YOURS}\n`,
          ...ended(conflict?.a ?? []),
          `${MARK_BETWEEN}\n`,
          ...ended(conflict?.b ?? []),
          `${MARK_THEIRS}\n`,
        ],
  );
  return lines === undefined ? undefined : Buffer.from(lines.join(''));
}

/** True for a text that still has markers of `markConflicts`. */
export function hasMarks(bytes: Buffer): boolean {
  const lines = new Set(linesOf(bytes)?.map((line) => line.trimEnd()) ?? []);
  return lines.has(MARK_YOURS!) && lines.has(MARK_THEIRS!);
}

const ended = (lines: readonly string[]) => lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`));

function regionsOf({ base, mine, theirs }: MergeInput) {
  const [a, o, b] = [mine, base, theirs].map(linesOf);
  if (a === undefined || o === undefined || b === undefined) return undefined;
  return diff3Merge(a, o, b, { excludeFalseConflicts: true });
}

/** Lines with their endings, so that a missing final one is a difference like any other. */
function linesOf(bytes: Buffer): string[] | undefined {
  const { text, valid, binary } = decodeText(bytes);
  if (bytes.length > MAX_MERGE_BYTES || binary || !valid) return undefined;
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** How conflicts are left for the user: not at all, as markers in the files, or as three separate files. */
export type ConflictStyle = 'stop' | 'markers' | 'files';

/** The three versions of a file that both sides changed. */
export interface Unsettled {
  readonly path: string;
  readonly base: SkillFile | undefined;
  readonly mine: SkillFile | undefined;
  readonly theirs: SkillFile | undefined;
}

/** One line about a conflict: the file, and the affected lines of the user's version. */
export function describeUnsettled({ path, base, mine, theirs }: Unsettled): string {
  if (mine === undefined) return `${path}: you deleted it, and the source changed it`;
  if (theirs === undefined) return `${path}: you changed it, and the source deleted it`;
  if (base === undefined) return `${path}: both sides added it`;
  const ranges = findConflicts({ base: base.bytes, mine: mine.bytes, theirs: theirs.bytes });
  if (ranges === undefined) return `${path}: not a text file`;
  if (ranges.length === 0) return path;
  const words = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  const isOne = ranges.length === 1 && ranges[0]!.first === ranges[0]!.last;
  return `${path}: ${isOne ? 'line' : 'lines'} ${words.join(', ')}`;
}

/** The stored form of a file with conflicts: with markers if requested and possible, else the user's version. */
export function placeUnsettled(
  { base, mine, theirs }: Unsettled,
  style: ConflictStyle,
): SkillFile | undefined {
  if (style !== 'markers' || mine === undefined || theirs === undefined) return mine;
  const input = { base: base?.bytes ?? Buffer.alloc(0), mine: mine.bytes, theirs: theirs.bytes };
  return { ...mine, bytes: markConflicts(input) ?? mine.bytes };
}

/** Directory for the versions of a skill's files with conflicts. */
export function conflictsOf(name: string, { store }: InstallPlace): string {
  return join(store.root, 'conflicts', name);
}

/** Writes the three versions of each file; those of an earlier update are removed. */
export function writeVersions(name: string, unsettled: readonly Unsettled[], place: InstallPlace): void {
  const dir = conflictsOf(name, place);
  if (unsettled.length === 0 && !isThere(dir)) return;
  refuseLinks(place.store.root, dir);
  removePath(dir, { recursive: true, force: true });
  for (const { path, base, mine, theirs } of unsettled) {
    const versions = { base, yours: mine, theirs };
    for (const [version, file] of Object.entries(versions))
      if (file !== undefined) writeFileAtomic(joinInside(dir, `${path}.${version}`), file.bytes);
  }
}
