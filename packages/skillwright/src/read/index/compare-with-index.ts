// What changed on disk since an index was built. A file that looks the same is the same; one that looks different
// is read, because touching a file or checking it out again does not change what it says.

import type { FileRow } from './database.ts';
import { isSameStat, listSourceFiles, readSkillFile, statSkillFile } from './source-files.ts';

/** Changed paths; `touched` files look different but have the same content. */
export interface FileChanges {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly touched: readonly string[];
}

/** Compares all files of a skill with the rows of its index. */
export function compareWithIndex(sourceDir: string, rows: ReadonlyMap<string, FileRow>): FileChanges {
  const changed: string[] = [];
  const touched: string[] = [];
  const gone = new Set<string>();
  const paths = listSourceFiles(sourceDir);
  let known = 0;
  for (const path of paths) {
    const row = rows.get(path);
    const stat = statSkillFile(sourceDir, path);
    if (stat === undefined) gone.add(path);
    else if (row === undefined) changed.push(path);
    else {
      known += 1;
      if (isSameStat(stat, row)) continue;
      const read = readSkillFile(sourceDir, path);
      if (read === undefined) gone.add(path);
      else if (read.file.sha256 === row.sha256) touched.push(path);
      else changed.push(path);
    }
  }
  // Mostly every row has its file, which is known without looking for those that have none.
  if (known === rows.size && gone.size === 0) return { changed, removed: [], touched };
  const present = new Set(paths.filter((path) => !gone.has(path)));
  return { changed, removed: [...rows.keys()].filter((path) => !present.has(path)), touched };
}

/** Files because of which an index is stale. */
export interface StaleFiles {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What changed that could be found or missed: files that are not indexed may come, change and go. */
export function findStale(sourceDir: string, rows: ReadonlyMap<string, FileRow>): StaleFiles {
  const { changed, removed } = compareWithIndex(sourceDir, rows);
  const wasIndexed = (path: string) => rows.get(path)?.indexed === true;
  const counts = changed.filter(
    (path) => wasIndexed(path) || readSkillFile(sourceDir, path)?.file.indexed === true,
  );
  return {
    changed: counts.filter((path) => rows.has(path)),
    added: counts.filter((path) => !rows.has(path)),
    removed: removed.filter(wasIndexed),
  };
}
