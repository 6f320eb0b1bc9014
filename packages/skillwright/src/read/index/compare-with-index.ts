// Finds changes on disk since an index was built. A file with the same stat is unchanged; any other is read, because
// touching a file or checking it out again does not change its content.

import type { FileRow } from './database.ts';
import { isSameStat, listSourceFiles, readSkillFile, statSkillFile } from './source-files.ts';

/** Changed paths; `touched` files have another stat but the same content. */
export interface FileChanges {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly touched: readonly string[];
}

/** Compares all files of a skill with the rows of its index. */
export function compareWithIndex(
  sourceDir: string,
  rows: ReadonlyMap<string, FileRow>,
  paths: readonly string[] = listSourceFiles(sourceDir),
): FileChanges {
  const changed: string[] = [];
  const touched: string[] = [];
  const gone = new Set<string>();
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
  // Usually every row has its file, and there is no need to search for missing ones.
  if (known === rows.size && gone.size === 0) return { changed, removed: [], touched };
  const present = new Set(paths.filter((path) => !gone.has(path)));
  return { changed, removed: [...rows.keys()].filter((path) => !present.has(path)), touched };
}

/** Files that make an index stale. */
export interface StaleFiles {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Changes that affect search: files that are not indexed do not count. */
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
