// Cache of the skills found in one root. One file per root: projects share roots, and processes at different roots
// do not overwrite each other. A file is lines of JSON with a few hundred entries each, column by column, because
// parsing thousands of small objects would take longer than checking the skills. A checksum in the first line makes
// a damaged file count as missing.

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import {
  createSha256,
  discardTemporary,
  removePath,
  renamePath,
  sha256,
  targetAt,
  temporaryBeside,
} from '../../base/files/index.ts';
import type { DirectoryListing, FileStamp } from './read-root.ts';
import type { FoundEntry, RootMemory, RootSearch } from './search-root.ts';
import type { SkillEntry } from './skill-entry.ts';

/** Format version: files of another version are ignored. */
const VERSION = 5;

/** Smaller roots are read faster than a cache. */
export const MIN_CACHED_ENTRIES = 100;

const CHUNK = 500;

/** Some entries, column by column. */
interface EntryColumns {
  readonly dirs: readonly string[];
  /** 0 when equal to the directory's name. */
  readonly names: readonly (string | 0)[];
  /** Four numbers each. */
  readonly stamps: readonly number[];
  /** 24 and 64 characters each. */
  readonly ids: string;
  readonly digests: string;
  readonly frontmatters: readonly Readonly<Record<string, unknown>>[];
  /** Indexes of possible stubs. */
  readonly stubs: readonly number[];
  /** Indexes of skills locked by a quiz. */
  readonly gated: readonly number[];
  readonly problems: readonly (readonly [index: number, problem: NonNullable<SkillEntry['problem']>])[];
}

type ListingRow = readonly [dir: string, listing: DirectoryListing];

/** Cached content of a canonical root; empty when there is no valid file. Never throws. */
export function readRootMemory(directory: string, root: string): RootMemory {
  const entries = new Map<string, SkillEntry>();
  try {
    const bytes = readFileSync(cachePath(directory, 'skills', root));
    const body = bytes.indexOf(10) + 1;
    const checksum = sha256(bytes.subarray(body));
    if (body === 0 || bytes.toString('utf8', 0, body) !== header(root, checksum)) return nothing;
    const lines = splitLines(bytes, body);
    const listings = JSON.parse(lines.next().value as string) as ListingRow[];
    for (const line of lines)
      for (const entry of readColumns(JSON.parse(line) as EntryColumns, root)) entries.set(entry.dir, entry);
    return {
      entries,
      listings: new Map(listings.map(([dir, listing]) => [lengthen(dir, root), listing])),
    };
  } catch {
    // Missing, unreadable or damaged: read everything again.
    return nothing;
  }
}

/** An empty cache. */
export const nothing: RootMemory = { entries: new Map(), listings: new Map() };

/** Caches the result of a search. A failed write is ignored. Never throws. */
export function writeRootMemory(directory: string, root: string, { found, listings }: RootSearch): void {
  const entries = found.filter(isCacheable).map(({ entry }) => entry);
  const settled = [...listings].filter(([, { stamp }]) => stamp !== undefined);
  const rows: ListingRow[] = settled.map(([dir, listing]) => [shorten(dir, root), listing]);
  const lines = [`${JSON.stringify(rows)}\n`];
  for (let start = 0; start < entries.length; start += CHUNK)
    lines.push(`${JSON.stringify(makeColumns(entries.slice(start, start + CHUNK), root))}\n`);
  const hasher = createSha256();
  for (const line of lines) hasher.update(line);
  writeCacheFile(cachePath(directory, 'skills', root), [header(root, hasher.digest('hex')), ...lines]);
}

/** The source of a stub belongs to another root. */
const isCacheable = ({ entry, isStub }: FoundEntry) => isStub !== true && entry.stamp !== undefined;

/** True when the cache already contains every cacheable result of a search. */
export function isRemembered({ found, listings }: RootSearch, memory: RootMemory): boolean {
  let entries = 0;
  for (const one of found) {
    if (!isCacheable(one)) continue;
    const { entry } = one;
    const known = memory.entries.get(entry.dir);
    if (known !== entry && known?.stamp?.join() !== entry.stamp?.join()) return false;
    entries += 1;
  }
  const settled = [...listings].filter(([, { stamp }]) => stamp !== undefined);
  return (
    entries === memory.entries.size &&
    settled.length === memory.listings.size &&
    settled.every(([dir, listing]) => memory.listings.get(dir) === listing)
  );
}

/** Two roots may share a file name by chance, so the first line names the root. */
function header(root: string, checksum: string): string {
  return `${JSON.stringify({ format: 'skillwright-catalog', version: VERSION, root, sha256: checksum })}\n`;
}

function* splitLines(bytes: Buffer, from: number): Generator<string> {
  let start = from;
  for (let end = bytes.indexOf(10, start); end !== -1; end = bytes.indexOf(10, start)) {
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}

function makeColumns(entries: readonly SkillEntry[], root: string): EntryColumns {
  return {
    dirs: entries.map(({ dir }) => shorten(dir, root)),
    names: entries.map(({ dir, name }) => (name === basename(dir) ? 0 : name)),
    stamps: entries.flatMap(({ stamp }) => stamp!),
    ids: entries.map(({ id }) => id).join(''),
    digests: entries.map(({ digest }) => digest).join(''),
    frontmatters: entries.map(({ frontmatter }) => frontmatter),
    stubs: entries.flatMap(({ mayBeStub }, index) => (mayBeStub ? [index] : [])),
    gated: entries.flatMap(({ gated }, index) => (gated ? [index] : [])),
    problems: entries.flatMap(({ problem }, index) =>
      problem === undefined ? [] : [[index, problem] as const],
    ),
  };
}

function readColumns(columns: EntryColumns, root: string): SkillEntry[] {
  const { dirs, names, stamps, ids, digests, frontmatters } = columns;
  const stubs = new Set(columns.stubs);
  const gated = new Set(columns.gated);
  const problems = new Map(columns.problems);
  return dirs.map((short, index) => {
    const dir = lengthen(short, root);
    const at = index * 4;
    const stamp = [stamps[at], stamps[at + 1], stamps[at + 2], stamps[at + 3]] as unknown as FileStamp;
    const problem = problems.get(index);
    const entry = {
      dir,
      name: names[index] || (short.includes(sep) ? basename(dir) : short),
      mtimeMs: stamp[0],
      stamp,
      id: ids.slice(index * 24, index * 24 + 24),
      digest: digests.slice(index * 64, index * 64 + 64),
      frontmatter: frontmatters[index]!,
      mayBeStub: stubs.has(index),
      ...(gated.has(index) ? { gated: true as const } : {}),
    };
    return problem === undefined ? entry : { ...entry, problem };
  });
}

/** Directories inside the root are written relative to it. */
function shorten(dir: string, root: string): string {
  return dir === root ? '' : dir.startsWith(root + sep) ? dir.slice(root.length + 1) : dir;
}

function lengthen(short: string, root: string): string {
  return short === '' ? root : isAbsolute(short) ? short : root + sep + short;
}

/** Content of a cache file: skills that were found, or their words. */
type CacheKind = 'skills' | 'words';

/** Files not written for this long are removed. */
const KEEP_MS = 60 * 24 * 3600 * 1000;

/** The cache file of a canonical root. */
export function cachePath(directory: string, kind: CacheKind, root: string): string {
  return join(directory, `${kind}-${sha256(root).slice(0, 16)}`);
}

/**
 * Replaces a cache file atomically. Does not sync to disk: the reader detects a file that a crash cut short.
 * A failed write is ignored. Never throws.
 */
export function writeCacheFile(path: string, parts: Iterable<string | Uint8Array>): void {
  const temporary = temporaryBeside(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    removeOld(dirname(path));
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      for (const part of parts) writeFileSync(descriptor, part);
    } finally {
      closeSync(descriptor);
    }
    renamePath(temporary, path);
  } catch {
    // A full or read-only disk.
    discardTemporary(temporary);
  }
}

function removeOld(directory: string): void {
  const oldest = Date.now() - KEEP_MS;
  for (const name of readdirSync(directory)) {
    if (!/^(?:skills|words)-[0-9a-f]{16}$|^\.(?:skills|words)-.*\.tmp$/.test(name)) continue;
    const path = join(directory, name);
    const written = targetAt(path)?.mtimeMs ?? oldest;
    if (written < oldest) removePath(path, { force: true });
  }
}
