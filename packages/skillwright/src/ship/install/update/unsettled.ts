// Files in which the user and the source changed the same lines: reported, and written for an editor to resolve.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, joinInside, refuseLinks, writeFileAtomic } from '../../../base/files/index.ts';
import type { InstallPlace } from '../place/install-place.ts';
import type { SkillFile } from '../place/stored-files.ts';
import type { FileVersions } from './merge-files.ts';
import { findConflicts, markConflicts } from './merge-text.ts';

/** How conflicts are left for the user: not at all, as markers in the files, or as three separate files. */
export type ConflictStyle = 'stop' | 'markers' | 'files';

/** The three versions of a file that both sides changed. */
export interface Unsettled {
  readonly path: string;
  readonly base: SkillFile | undefined;
  readonly mine: SkillFile | undefined;
  readonly theirs: SkillFile | undefined;
}

/** The versions of files. */
export function unsettledOf(paths: readonly string[], { base, mine, theirs }: FileVersions): Unsettled[] {
  return paths.map((path) => ({
    path,
    base: base.get(path),
    mine: mine.get(path),
    theirs: theirs.get(path),
  }));
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
): { file: SkillFile | undefined; isMarked: boolean } {
  const marked =
    style === 'markers' && mine !== undefined && theirs !== undefined
      ? markConflicts({ base: base?.bytes ?? Buffer.alloc(0), mine: mine.bytes, theirs: theirs.bytes })
      : undefined;
  if (marked === undefined) return { file: mine, isMarked: false };
  return { file: { bytes: marked, executable: mine!.executable }, isMarked: true };
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
  rmSync(dir, { recursive: true, force: true });
  for (const { path, base, mine, theirs } of unsettled) {
    const versions = { base, yours: mine, theirs };
    for (const [version, file] of Object.entries(versions))
      if (file !== undefined) writeFileAtomic(joinInside(dir, `${path}.${version}`), file.bytes);
  }
}
