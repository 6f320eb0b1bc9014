// Going through one skill root within its bounds, the shallow directories first.

import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { formatMessage } from '../diagnostics/codes.ts';
import { isInside } from '../files/contained-path.ts';
import { describeSystemError } from '../files/system-error.ts';
import { SKILL_FILE } from '../places/resolve-skill.ts';
import type { EntryReader, SkillEntry } from './skill-entry.ts';
import type { CatalogError, SkippedPlace } from './skill-record.ts';

/** A skill, where it was met, and whether a link leads to it. */
export interface FoundEntry {
  readonly entry: SkillEntry;
  /** The directory as it is called in the root. */
  readonly place: string;
  readonly linked: boolean;
}

/** What a root holds. */
export interface RootSearch {
  readonly found: readonly FoundEntry[];
  readonly errors: readonly CatalogError[];
  readonly directories: number;
  readonly truncated: boolean;
  readonly skipped: readonly SkippedPlace[];
  readonly skippedCount: number;
}

/** How far to look. */
export interface SearchLimits {
  readonly maxDepth: number;
  readonly maxDirectories: number;
}

const MAX_SKIPPED = 20;

interface Place {
  /** Canonical. */
  readonly dir: string;
  /** As it was met. */
  readonly path: string;
  readonly depth: number;
  readonly linked: boolean;
}

/**
 * The skills below a canonical directory. A skill is not searched further. Links to directories are followed, each real
 * directory once; hidden directories and node_modules are not entered. Total: what fails is in `errors`.
 */
export function searchRoot(root: string, read: EntryReader, limits: SearchLimits): RootSearch {
  const found: FoundEntry[] = [];
  const errors: CatalogError[] = [];
  const skipped: SkippedPlace[] = [];
  let skippedCount = 0;
  let directories = 0;
  let truncated = false;
  const entered = new Set<string>();

  const skip = (path: string, why: string): void => {
    skippedCount += 1;
    if (skipped.length < MAX_SKIPPED) skipped.push({ path, why });
  };
  const fail = (path: string, why: string): void => {
    errors.push({ path, code: 'E015', message: formatMessage('E015', { path, why }) });
  };

  /** True for a skill, which is then recorded. */
  const isSkill = (place: Place): boolean => {
    const entry = read(place.dir);
    if (entry !== undefined) found.push({ entry, place: place.path, linked: place.linked });
    return entry !== undefined;
  };

  /** The directory a link leads to; undefined when it is not to be entered. */
  const follow = (path: string): string | undefined => {
    try {
      const real = realpathSync.native(path);
      if (!statSync(real).isDirectory()) return undefined;
      if (isInside(real, root)) skip(path, 'the link leads back to where it came from');
      else if (entered.has(real)) skip(path, `another link leads to ${real} already`);
      else {
        entered.add(real);
        return real;
      }
    } catch (error) {
      fail(path, `the link cannot be followed: ${describeSystemError(error)}`);
    }
    return undefined;
  };

  const list = (place: Place): Place[] => {
    let listing: Dirent[];
    try {
      listing = readdirSync(place.dir, { withFileTypes: true });
    } catch (error) {
      fail(place.dir, describeSystemError(error));
      return [];
    }
    const below: Place[] = [];
    // Sorted, so that a bound always cuts at the same place.
    for (const entry of listing.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      if (entry.isFile()) {
        if (name !== SKILL_FILE && name.toLowerCase() === 'skill.md') errors.push(misspelled(place.dir, name));
        continue;
      }
      const path = place.dir + sep + name;
      const isLink = entry.isSymbolicLink();
      if (!isLink && !entry.isDirectory()) continue;
      if (name === 'node_modules') skip(path, 'node_modules is not searched');
      else if (name.startsWith('.')) skip(path, 'hidden');
      else if (place.depth === limits.maxDepth) {
        if (isLink) continue;
        skip(path, `deeper than ${limits.maxDepth} levels`);
        truncated = true;
      } else {
        const dir = isLink ? follow(path) : path;
        if (dir !== undefined)
          below.push({ dir, path, depth: place.depth + 1, linked: place.linked || isLink });
      }
    }
    return below;
  };

  const start: Place = { dir: root, path: root, depth: 0, linked: false };
  // A skill root is a place for skills: a stray SKILL.md in it hides none of them.
  isSkill(start);
  const queue = list(start);
  for (let next = 0; next < queue.length; next++) {
    const place = queue[next] as Place;
    if (directories === limits.maxDirectories) {
      truncated = true;
      break;
    }
    directories += 1;
    if (!isSkill(place)) for (const below of list(place)) queue.push(below);
  }
  return { found, errors, directories, truncated, skipped, skippedCount };
}

function misspelled(path: string, name: string): CatalogError {
  const message = formatMessage('E010', { path });
  return { path, code: 'E010', message: `${message}; '${name}' has to be called ${SKILL_FILE}` };
}
