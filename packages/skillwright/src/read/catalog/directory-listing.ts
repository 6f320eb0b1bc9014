// Lists the entries of a directory that matter for discovery.

import { readdirSync, statSync } from 'node:fs';
import { isMisspelled } from '../../skill/skill/index.ts';
import { type FileStamp, isUnchanged, makeStamp } from './file-stamp.ts';

/** The directories and links in a directory, sorted. */
export interface DirectoryListing {
  readonly directories: readonly string[];
  readonly links: readonly string[];
  /** Files that would be SKILL.md if spelled correctly. */
  readonly misspelled: readonly string[];
  /** Stamp of the directory; undefined when it may change again without a visible difference. */
  readonly stamp: FileStamp | undefined;
}

/** Lists a directory. Throws system errors. */
type DirectoryLister = (dir: string) => DirectoryListing;

/** Creates a lister that reads a directory only when it differs from the `known` listing. */
export function createDirectoryLister(known: ReadonlyMap<string, DirectoryListing>): DirectoryLister {
  return (dir) => {
    const now = Date.now();
    const status = statSync(dir);
    const before = known.get(dir);
    if (before !== undefined && isUnchanged(before.stamp, status)) return before;
    const directories: string[] = [];
    const links: string[] = [];
    const misspelled: string[] = [];
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const { name } = entry;
      if (entry.isDirectory()) directories.push(name);
      else if (entry.isSymbolicLink()) links.push(name);
      else if (isMisspelled(name)) misspelled.push(name);
    }
    return {
      directories: directories.sort(),
      links: links.sort(),
      misspelled: misspelled.sort(),
      stamp: makeStamp(status, now),
    };
  };
}
