// Searches one skill root within limits, shallow directories first.

import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { formatMessage } from '../../base/diagnostics/index.ts';
import { describeSystemError, isInside, isMissing, readRealPath } from '../../base/files/index.ts';
import { misspelledHelp } from '../../skill/skill/index.ts';
import { createDirectoryLister, type DirectoryListing } from './read-root.ts';
import { createEntryReader, type SkillEntry } from './skill-entry.ts';
import type { CatalogError, SkippedPlace } from './skill-record.ts';
import { readStubSource } from './stub-source.ts';

/** A skill, where it was found, and whether through a link. */
export interface FoundEntry {
  readonly entry: SkillEntry;
  /** Path of the directory in the root. */
  readonly place: string;
  readonly linked: boolean;
  /** Whether it is a link to the stub of the skill. */
  readonly isStub?: boolean | undefined;
}

/** Cached results of an earlier search, by canonical directory. */
export interface RootMemory {
  readonly entries: ReadonlyMap<string, SkillEntry>;
  readonly listings: ReadonlyMap<string, DirectoryListing>;
}

/** Result of searching a root. */
export interface RootSearch {
  readonly found: readonly FoundEntry[];
  /** Number of directories listed. */
  readonly listings: ReadonlyMap<string, DirectoryListing>;
  readonly errors: readonly CatalogError[];
  readonly directories: number;
  readonly truncated: boolean;
  /** The limit that cut the search short. */
  readonly why: string | undefined;
  readonly skipped: readonly SkippedPlace[];
  readonly skippedCount: number;
}

/** Facts shared with the searches of other roots. */
interface SearchContext {
  /** Entries that were read. */
  readonly read?: Map<string, SkillEntry> | undefined;
  /** With it, links to stubs that skc made are found as their sources. */
  readonly home?: string | undefined;
}

/** Limits of the search. */
export interface SearchLimits {
  readonly maxDepth: number;
  readonly maxDirectories: number;
}

const MAX_SKIPPED = 20;

interface Place {
  /** Canonical. */
  readonly dir: string;
  /** Path in the root. */
  readonly place: string;
  readonly depth: number;
  readonly linked: boolean;
  entry: SkillEntry | undefined;
  isStub?: boolean;
}

/**
 * The skills below a canonical directory. Does not look inside a skill. Follows links to directories, each real
 * directory once; skips hidden directories and node_modules. Never throws: failures are in `errors`.
 */
export function searchRoot(
  root: string,
  memory: RootMemory,
  { read, home, ...limits }: SearchLimits & SearchContext,
): RootSearch {
  const readEntry = createEntryReader(memory.entries, read);
  const listDirectory = createDirectoryLister(memory.listings);
  const found: FoundEntry[] = [];
  const listings = new Map<string, DirectoryListing>();
  const errors: CatalogError[] = [];
  const skipped: SkippedPlace[] = [];
  let skippedCount = 0;
  let directories = 0;
  let isFull = false;
  let isTooDeep = false;
  const entered = new Set<string>();

  const skip = (path: string, why: string): void => {
    skippedCount += 1;
    if (skipped.length < MAX_SKIPPED) skipped.push({ path, why });
  };
  const fail = (path: string, why: string): void => {
    errors.push({
      path,
      code: 'E015',
      message: formatMessage('E015', { path, why }),
    });
  };

  /** Target directory of a link; undefined when it must not be entered. */
  const follow = (path: string): string | undefined => {
    try {
      const real = readRealPath(path);
      if (!statSync(real).isDirectory()) return undefined;
      if (isInside(real, root)) skip(path, 'the link points back into its own root');
      else if (entered.has(real)) skip(path, `another link already points to ${real}`);
      else {
        entered.add(real);
        return real;
      }
    } catch (error) {
      fail(path, `the link cannot be followed: ${describeSystemError(error)}`);
    }
    return undefined;
  };

  const isEntered = (name: string, path: string, depth: number): boolean => {
    if (name === 'node_modules') skip(path, 'node_modules is not searched');
    else if (name.startsWith('.')) skip(path, 'hidden');
    else if (depth > limits.maxDepth) {
      skip(path, `deeper than ${limits.maxDepth} levels`);
      isTooDeep = true;
    } else return true;
    return false;
  };

  const list = ({ dir, depth: above, linked }: Place): Place[] => {
    let listing: DirectoryListing;
    try {
      listing = listDirectory(dir);
    } catch (error) {
      // A directory that has disappeared is not an error.
      if (!isMissing(error)) fail(dir, describeSystemError(error));
      return [];
    }
    listings.set(dir, listing);
    for (const name of listing.misspelled) errors.push(misspelled(dir, name));
    const below: Place[] = [];
    const depth = above + 1;
    const enter = (name: string, isLink: boolean): void => {
      const place = dir + sep + name;
      if (!isEntered(name, place, depth)) return;
      const real = isLink ? follow(place) : place;
      if (real !== undefined)
        below.push({ dir: real, place, depth, linked: linked || isLink, entry: undefined });
    };
    for (const name of listing.directories) enter(name, false);
    for (const name of listing.links) enter(name, true);
    return below;
  };

  const start: Place = {
    dir: root,
    place: root,
    depth: 0,
    linked: false,
    entry: undefined,
  };
  /** Counts one directory against the limit; false when none is left. */
  const charge = (): boolean => {
    if (directories === limits.maxDirectories) isFull = true;
    else directories += 1;
    return !isFull;
  };
  /** Records the skills among places and returns the other places. Checking for a skill is cheap. */
  const take = (places: readonly Place[]): Place[] => {
    const others: Place[] = [];
    for (const place of places) {
      const source = place.linked && home !== undefined ? readStubSource(place.dir, home) : undefined;
      const entry = source === undefined ? undefined : readEntry(source);
      place.isStub = entry !== undefined && entry.problem === undefined;
      place.entry = place.isStub ? entry : readEntry(place.dir);
      if (place.entry === undefined) others.push(place);
      else if (charge()) found.push(place as FoundEntry);
      else return [];
    }
    return others;
  };
  // A skill root holds skills: a stray SKILL.md in it hides none of them.
  start.entry = readEntry(start.dir);
  if (start.entry !== undefined) found.push(start as FoundEntry);
  const queue = take(list(start));
  // The entries of a directory are checked together, so that a limit shortens the list of skills but never empties it.
  for (let next = 0; next < queue.length && charge(); next++)
    for (const below of take(list(queue[next] as Place))) queue.push(below);
  const why = isFull
    ? `stopped after ${limits.maxDirectories} directories`
    : isTooDeep
      ? `directories deeper than ${limits.maxDepth} levels are not entered`
      : undefined;
  return {
    found: entered.size === 0 ? found : preferDirect(found),
    listings,
    errors,
    directories,
    truncated: why !== undefined,
    why,
    skipped,
    skippedCount,
  };
}

/** A skill found directly and through links counts as found directly. */
function preferDirect(found: readonly FoundEntry[]): FoundEntry[] {
  const chosen = new Map<string, FoundEntry>();
  for (const skill of found) {
    const key = skill.isStub ? skill.place : skill.entry.dir;
    const before = chosen.get(key);
    if (before === undefined || (before.linked && !skill.linked)) chosen.set(key, skill);
  }
  return [...chosen.values()];
}

function misspelled(path: string, name: string): CatalogError {
  const message = formatMessage('E010', { path });
  return {
    path,
    code: 'E010',
    message: `${message}; ${misspelledHelp(name)}`,
  };
}
