// Merges a new version of a skill into one that the user has edited, file by file, without losing a change.

import { compareBytes } from '../../../base/files/index.ts';
import type { SkillFile, SkillFiles } from '../place/stored-files.ts';
import { mergeText } from './merge-text.ts';

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
