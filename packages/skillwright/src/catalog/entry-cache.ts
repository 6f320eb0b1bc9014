// What was read from the skills of one root, remembered between starts. A file per root: roots are shared by projects,
// and two processes at different roots do not overwrite each other. Each chunk of entries is one line of JSON; a
// checksum in the first line makes anything but the file as it was written the same as no file.

import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { createSha256, sha256 } from '../files/hash.ts';
import { discardTemporary, temporaryBeside } from '../files/write-atomic.ts';
import type { FileStamp, SkillEntry } from './skill-entry.ts';

/** The version of the format: files of another one are not read. */
const VERSION = 1;

/** Smaller roots are read faster than a cache is written. */
export const MIN_CACHED_ENTRIES = 100;

const CHUNK = 500;

/** Files of roots nobody has changed or looked at for so long are removed. */
const KEEP_MS = 60 * 24 * 3600 * 1000;

type Row = readonly [
  dir: string,
  name: string,
  stamp: FileStamp,
  id: string,
  digest: string,
  frontmatter: Readonly<Record<string, unknown>>,
  mayBeStub: 0 | 1,
  problem?: NonNullable<SkillEntry['problem']>,
];

/** The file of a root's cache of one kind. */
export function cacheFile(directory: string, kind: string, root: string): string {
  return join(directory, `${kind}-${sha256(root).slice(0, 16)}`);
}

/** The entries of a canonical root by directory; empty when there are none that can be trusted. Never throws. */
export function readEntries(directory: string, root: string): Map<string, SkillEntry> {
  const entries = new Map<string, SkillEntry>();
  try {
    const bytes = readFileSync(cacheFile(directory, 'skills', root));
    let start = bytes.indexOf(10) + 1;
    if (start === 0 || bytes.toString('utf8', 0, start) !== header(root, sha256(bytes.subarray(start))))
      return entries;
    for (let end = bytes.indexOf(10, start); end !== -1; end = bytes.indexOf(10, start)) {
      for (const row of JSON.parse(bytes.toString('utf8', start, end)) as Row[]) {
        const entry = readRow(row, root);
        entries.set(entry.dir, entry);
      }
      start = end + 1;
    }
  } catch {
    // Missing, unreadable or damaged: everything is read again.
    entries.clear();
  }
  return entries;
}

/** Remembers the entries of a root. What cannot be written is not remembered. Never throws. */
export function writeEntries(directory: string, root: string, entries: readonly SkillEntry[]): void {
  const rows = entries.flatMap((entry) => (entry.stamp === undefined ? [] : [makeRow(entry, root)]));
  const lines: string[] = [];
  const hasher = createSha256();
  for (let start = 0; start < rows.length; start += CHUNK) {
    const line = `${JSON.stringify(rows.slice(start, start + CHUNK))}\n`;
    hasher.update(line);
    lines.push(line);
  }
  writeCacheFile(cacheFile(directory, 'skills', root), [header(root, hasher.digest('hex')), ...lines]);
}

/** Replaces a file of the cache. Not synced to the disk: a checksum tells when a crash left a part of it. */
export function writeCacheFile(path: string, parts: readonly (string | Uint8Array)[]): void {
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
    renameSync(temporary, path);
  } catch {
    // A full or read-only disk costs time at the next start and nothing else.
    discardTemporary(temporary);
  }
}

/** Two roots may share a file name by chance, so the root stands in the first line. */
function header(root: string, checksum: string): string {
  return `${JSON.stringify({ format: 'skillwright-catalog', version: VERSION, root, sha256: checksum })}\n`;
}

/** Directories inside the root are written without it. */
function makeRow(entry: SkillEntry, root: string): Row {
  const { dir, name, stamp, id, digest, frontmatter, mayBeStub, problem } = entry;
  const short = dir.startsWith(root + sep) ? dir.slice(root.length + 1) : dir;
  const row: Row = [short, name, stamp!, id, digest, frontmatter, mayBeStub ? 1 : 0];
  return problem === undefined ? row : [...row, problem];
}

function readRow(row: Row, root: string): SkillEntry {
  const [short, name, stamp, id, digest, frontmatter, mayBeStub, problem] = row;
  const dir = short.startsWith(sep) || /^[a-z]:/i.test(short) ? short : root + sep + short;
  const entry = { dir, name, mtimeMs: stamp[0], stamp, id, digest, frontmatter, mayBeStub: mayBeStub === 1 };
  return problem === undefined ? entry : { ...entry, problem };
}

function removeOld(directory: string): void {
  const oldest = Date.now() - KEEP_MS;
  for (const name of readdirSync(directory)) {
    if (!/^(?:skills|terms)-|\.tmp$/.test(name)) continue;
    const path = join(directory, name);
    const age = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldest;
    if (age < oldest) rmSync(path, { force: true });
  }
}
