// Checks a third-party tree entry by entry: names must stay inside and mean the same file on every system.

import { unsafeArchive } from '../../../base/archive/index.ts';
import { formatBytes, skillLimits } from '../../../base/files/index.ts';
import type { Config } from '../../../skill/config/index.ts';
import { isReservedName } from '../../../skill/format/index.ts';

/** Limits for an archive, and for one skill. */
export interface ArchiveLimits {
  /** Files, links and directories, including directories that are only implied. */
  readonly maxEntries: number;
  /** Unpacked bytes. */
  readonly maxBytes: number;
  /** Largest ratio of unpacked size to archive size. */
  readonly maxRatio: number;
}

/** Repetitive text compresses well: below this many bytes the ratio is not checked. */
const RATIO_FLOOR = 1024 * 1024;

/** The limits from the configuration. */
export function archiveLimits(
  network: Pick<Config['network'], 'max_entries' | 'max_unpacked'>,
): ArchiveLimits {
  return { maxEntries: network.max_entries, maxBytes: network.max_unpacked, maxRatio: 100 };
}

const MAX_SEGMENT_BYTES = 255;
const MAX_PATH_BYTES = 1024;

/** Checks one tree. Every method throws E205 when a rule is broken. */
export interface EntryGuard {
  /** The clean relative path of an entry, with `/`; empty for the root. */
  admit(name: string, kind: 'file' | 'directory'): string;
  /** Counts unpacked bytes of the last admitted entry. */
  count(bytes: number): void;
  /** Compares the unpacked bytes so far with the bytes read from the archive. */
  compareRatio(unpacked: number, packed: number): void;
  readonly entries: number;
  readonly bytes: number;
}

/** Makes a guard for one tree. */
export function createEntryGuard(limits: ArchiveLimits): EntryGuard {
  const known = new Map<string, { readonly path: string; kind: 'file' | 'directory' }>();
  let bytes = 0;

  const claim = (path: string, kind: 'file' | 'directory', isImplied: boolean): void => {
    const key = foldName(path);
    const before = known.get(key);
    if (before === undefined) {
      if (known.size >= limits.maxEntries) throw unsafeArchive(`more than ${limits.maxEntries} entries`);
      known.set(key, { path, kind });
      return;
    }
    if (before.path !== path)
      throw unsafeArchive(`'${before.path}' and '${path}' are the same name on some systems`);
    if (kind === 'directory' && before.kind === 'directory') return;
    if (kind === before.kind) throw unsafeArchive(`'${path}' appears twice`);
    throw unsafeArchive(
      isImplied
        ? `'${path}' is a file, but other entries are inside it`
        : `'${path}' is a file and a directory`,
    );
  };

  return {
    admit(name, kind) {
      const segments = checkEntryName(name);
      for (let depth = 1; depth < segments.length; depth++)
        claim(segments.slice(0, depth).join('/'), 'directory', true);
      const path = segments.join('/');
      if (path === '' && kind === 'file') throw unsafeArchive(`'${name}' is not a file name`);
      if (path !== '') claim(path, kind, false);
      return path;
    },
    count(added) {
      bytes += added;
      if (bytes > limits.maxBytes) throw unsafeArchive(`more than ${formatBytes(limits.maxBytes)} unpacked`);
    },
    compareRatio(unpacked, packed) {
      if (unpacked > RATIO_FLOOR && unpacked > limits.maxRatio * packed)
        throw unsafeArchive(`it unpacks to more than ${limits.maxRatio} times its own size`);
    },
    get entries() {
      return known.size;
    },
    get bytes() {
      return bytes;
    },
  };
}

/** The segments of an entry's name; E205 when it escapes or is not a valid name on every system. */
function checkEntryName(name: string): string[] {
  const refuse = (why: string) => unsafeArchive(`entry '${name}' ${why}`);
  if (name === '') throw unsafeArchive('an entry has no name');
  if (/\p{Cc}/u.test(name)) throw refuse('contains a control character');
  if (name.startsWith('/')) throw refuse('is an absolute path');
  if (/^[a-z]:/i.test(name)) throw refuse('starts with a drive letter');
  if (name.includes('\\')) throw refuse('contains a backslash');
  if (name.includes(':')) throw refuse('contains a colon, which names an alternate stream on Windows');
  if (name.includes('\ufffd')) throw refuse('is not valid Unicode');
  if (Buffer.byteLength(name) > MAX_PATH_BYTES) throw refuse('is too long');
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length > skillLimits.maxDepth) throw refuse('is nested too deeply');
  for (const segment of segments) {
    if (segment === '..') throw refuse("escapes with '..'");
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) throw refuse('is too long');
    if (isReservedName(segment)) throw refuse('is a device name on Windows');
    if (/[. ]$/.test(segment)) throw refuse('ends with a dot or a space, which Windows drops');
  }
  return segments;
}

/** Folds a name: equal results collide on file systems that ignore case or invisible characters, or normalise Unicode. */
function foldName(path: string): string {
  if (/^[ -~]*$/.test(path)) return path.toLowerCase();
  const visible = path.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.normalize('NFD').toUpperCase().toLowerCase().normalize('NFD');
}
