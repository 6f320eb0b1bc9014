// The only way archives are unpacked.

import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { crc32, createGunzip, gunzipSync } from 'node:zlib';
import type { ZipFile } from 'yauzl';
import {
  archiveFormat,
  createTarReader,
  openZip,
  type TarMember,
  unsafeArchive,
  type ZipMember,
} from '../../../base/archive/index.ts';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  discardTemporary,
  isInside,
  isMissing,
  noteExecuteBit,
  readError,
  systemErrorCode,
  writeError,
} from '../../../base/files/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import { type ArchiveLimits, createEntryGuard, type EntryGuard } from './entry-guard.ts';

/** Options for unpacking. */
interface ExtractOptions {
  readonly limits: ArchiveLimits;
  readonly signal?: AbortSignal | undefined;
  /** Called as bytes are unpacked. */
  onProgress?(bytes: number): void;
}

/** An unpacked archive. */
export interface ExtractedArchive {
  /** Root of the content: the directory, or its only folder if the directory has no SKILL.md. */
  readonly root: string;
  readonly entries: number;
  readonly bytes: number;
}

/**
 * Unpacks a zip, tar or tar.gz file, detected by its first bytes, into `dir`, which must be new or empty. Writes only
 * files (0644, or 0755 for executables), directories and links that stay inside; E205 names the first entry that is
 * anything else, escapes, collides with another or exceeds a limit. On failure `dir` is removed.
 */
export async function extractArchive(
  file: string,
  dir: string,
  options: ExtractOptions,
): Promise<ExtractedArchive> {
  const format = readFormat(file);
  makeEmpty(dir);
  const guard = createEntryGuard(options.limits);
  const writer = createTreeWriter(dir, guard);
  const { limits, signal } = options;
  const extraction = {
    guard,
    writer,
    limits,
    signal,
    onProgress: (bytes: number) => options.onProgress?.(bytes),
  };
  try {
    signal?.throwIfAborted();
    if (format === 'zip') await extractZip(file, extraction);
    else await extractTar(file, { ...extraction, gzip: format === 'gzip' });
    writer.finish();
  } catch (error) {
    discardTemporary(dir);
    throw archiveError(file, error, signal);
  }
  return { root: findContent(dir), entries: guard.entries, bytes: guard.bytes };
}

/** The first block of a tar file, which is longer than the signatures of the other formats. */
const HEADER_BYTES = 512;

/** Detects the format by the first bytes. E205 when it is unknown. */
function readFormat(file: string): 'zip' | 'gzip' | 'tar' {
  let head: Buffer;
  try {
    head = readAt(file, 0, HEADER_BYTES);
  } catch (error) {
    throw readError(file, error);
  }
  const format = archiveFormat(head);
  if (format !== undefined) return format;
  throw unsafeArchive('it is neither zip nor tar');
}

function makeEmpty(dir: string): void {
  let names: string[];
  try {
    mkdirSync(dir, { recursive: true });
    names = readdirSync(dir);
  } catch (error) {
    throw writeError(dir, error);
  }
  if (names.length > 0) throw SkillwrightError.of('E013', { path: dir });
}

/** Names that systems add next to the content. */
function isContent(name: string): boolean {
  return !name.startsWith('.') && name !== '__MACOSX';
}

/** Descends into the folder that holds everything: it is not part of the content. */
function findContent(dir: string): string {
  const listing = readdirSync(dir, { withFileTypes: true });
  if (listing.some(({ name }) => name === SKILL_FILE)) return dir;
  const [only, ...others] = listing.filter(({ name }) => isContent(name));
  const isWrapped = only?.isDirectory() === true && others.length === 0;
  return isWrapped && !holdsLayouts(listing.map(({ name }) => name)) ? join(dir, only.name) : dir;
}

/** Whether the top of an archive looks like a repository: hidden directories of agents and plugins, or `skills`. */
function holdsLayouts(names: readonly string[]): boolean {
  return names.some((name) => name === 'skills' || name === 'plugins' || /^\.[a-z]+(?:-plugin)?$/.test(name));
}

/** Turns format errors into E205; system errors pass unchanged. */
function archiveError(file: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof SkillwrightError || signal?.aborted === true) return error;
  if (systemErrorCode(error) !== undefined) return readError(file, error);
  return error instanceof Error ? unsafeArchive(`it is damaged: ${error.message}`, error) : error;
}

/** Up to `length` bytes at a position of a file; fewer at its end. */
function readAt(file: string, position: number, length: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
  } finally {
    closeSync(descriptor);
  }
}

/** Inputs of an extraction. */
interface Extraction {
  readonly guard: EntryGuard;
  readonly writer: TreeWriter;
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal | undefined;
  onProgress(bytes: number): void;
}

const BLOCK = 512;
/** Allowance per entry for headers and long names. */
const OVERHEAD_PER_ENTRY = 4 * BLOCK;
const SMALL_BYTES = 256 * 1024;
const SMALL_UNPACKED_BYTES = 4 * 1024 * 1024;

/** Unpacks a tar file. Throws E205 for refused entries, else the library's error: the caller names the archive. */
async function extractTar(
  file: string,
  { gzip, ...extraction }: Extraction & { gzip: boolean },
): Promise<void> {
  const { guard, limits, signal, writer } = extraction;
  const reader = createTarReader((member) => begin(member, writer));
  const source = readSmall(file, gzip) ?? streamTar(file, gzip);
  let unpacked = 0;
  try {
    for await (const chunk of source.chunks) {
      signal?.throwIfAborted();
      unpacked += chunk.length;
      if (gzip) guard.compareRatio(unpacked, source.packed());
      if (unpacked > limits.maxBytes + (limits.maxEntries + 1) * OVERHEAD_PER_ENTRY + BLOCK * 128)
        throw unsafeArchive('data follows its last entry');
      reader.write(chunk);
      extraction.onProgress(guard.bytes);
    }
    reader.end();
    if (guard.entries === 0) throw unsafeArchive('it is empty');
  } finally {
    reader.discard();
    await source.close();
  }
}

/** The bytes of a tar file. */
interface TarSource {
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
  /** Bytes read from the archive so far. */
  packed(): number;
  close(): void | Promise<void>;
}

function streamTar(file: string, gzip: boolean): TarSource {
  const input = createReadStream(file);
  let packed = 0;
  input.on('data', (chunk) => {
    packed += chunk.length;
  });
  const stream = gzip ? input.pipe(createGunzip()) : input;
  input.on('error', (error) => stream.destroy(error));
  return {
    chunks: stream as AsyncIterable<Buffer>,
    packed: () => packed,
    async close() {
      stream.destroy();
      // Windows removes no file that is still open.
      if (!input.destroy().closed) await once(input, 'close');
    },
  };
}

/** Unpacks a small file at once, which costs a fifth of streams; undefined when it is large or damaged. */
function readSmall(file: string, gzip: boolean): TarSource | undefined {
  try {
    if (statSync(file).size > SMALL_BYTES) return undefined;
    const bytes = readFileSync(file);
    const unpacked = gzip ? gunzipSync(bytes, { maxOutputLength: SMALL_UNPACKED_BYTES }) : bytes;
    return { chunks: [unpacked], packed: () => bytes.length, close: () => {} };
  } catch {
    return undefined;
  }
}

/** Starts an entry; undefined when there is nothing to write. */
function begin({ path, kind, mode, target }: TarMember, writer: TreeWriter): OpenEntry | undefined {
  if (kind === 'file') return writer.file(path, mode);
  if (kind === 'directory') writer.directory(path);
  else writer.link(path, target);
  return undefined;
}

const UNIX = 3;
const MAX_TARGET_BYTES = 4096;

/** Unpacks a zip file. Throws E205 for refused entries, else the library's error: the caller names the archive. */
async function extractZip(file: string, extraction: Extraction): Promise<void> {
  const { zip, members, fault } = openZip(readFileSync(file), extraction.limits.maxEntries);
  try {
    if (fault !== undefined) throw fault;
    for (const member of members) {
      extraction.signal?.throwIfAborted();
      await extractEntry(zip, member, extraction);
    }
  } finally {
    zip.close();
  }
}

async function extractEntry(zip: ZipFile, named: ZipMember, extraction: Extraction): Promise<void> {
  const { entry, name } = named;
  const { writer } = extraction;
  if (entry.isEncrypted()) throw unsafeArchive(`entry '${name}' is encrypted`);
  const mode = entry.versionMadeBy >>> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
  const type = mode & 0o170000;
  if (name.endsWith('/') || type === 0o040000) {
    if (entry.uncompressedSize !== 0) throw unsafeArchive(`directory '${name}' has content`);
    writer.directory(name);
    return;
  }
  if (type === 0o120000) {
    if (entry.uncompressedSize > MAX_TARGET_BYTES) throw unsafeArchive(`link '${name}' is too long`);
    const target: Uint8Array[] = [];
    await readMember(zip, named, { extraction, take: (chunk) => target.push(chunk) });
    writer.link(name, Buffer.concat(target).toString('utf8'));
    return;
  }
  if (type !== 0 && type !== 0o100000)
    throw unsafeArchive(`entry '${name}' is neither a file nor a directory`);
  const file = writer.file(name, mode);
  try {
    await readMember(zip, named, { extraction, take: (chunk) => file.write(chunk) });
  } finally {
    file.close();
  }
}

async function readMember(
  zip: ZipFile,
  { entry, name }: ZipMember,
  { extraction, take }: { extraction: Extraction; take(chunk: Uint8Array): void },
): Promise<void> {
  const { guard, signal } = extraction;
  let unpacked = 0;
  let checksum = 0;
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    unpacked += chunk.length;
    guard.compareRatio(unpacked, entry.compressedSize);
    checksum = crc32(chunk, checksum);
    take(chunk);
    guard.compareRatio(guard.bytes, zip.fileSize);
    extraction.onProgress(guard.bytes);
  }
  if (checksum !== entry.crc32) throw unsafeArchive(`entry '${name}' is damaged`);
}

// Writes the entries of an archive below a directory. Links come last, so nothing is ever written through one.

/** A file being written. */
interface OpenEntry {
  write(bytes: Uint8Array): void;
  close(): void;
}

/** Writes below one directory. Every method throws E205 for what the guard refuses, E016 when writing fails. */
interface TreeWriter {
  directory(name: string): void;
  /** Opens a file. It keeps the executable bit, and no other permission. */
  file(name: string, mode: number): OpenEntry;
  link(name: string, target: string): void;
  /** Creates the links and checks each target. */
  finish(): void;
}

const MAX_TARGET_LENGTH = 1024;
const MAX_HELD_BYTES = 256 * 1024;

/** Makes a writer for an empty directory. */
function createTreeWriter(dir: string, guard: EntryGuard): TreeWriter {
  const links: { readonly path: string; readonly target: string }[] = [];
  const made = new Set(['.']);

  const makeParents = (path: string): void => {
    if (made.has(path)) return;
    attempt(dir, () => mkdirSync(join(dir, path), { recursive: true, mode: 0o755 }));
    made.add(path);
  };

  return {
    directory(name) {
      const path = guard.admit(name, 'directory');
      if (path !== '') makeParents(path);
    },
    file(name, mode) {
      const path = guard.admit(name, 'file');
      makeParents(posix.dirname(path));
      const place = join(dir, path);
      const descriptor = attempt(place, () => openSync(place, 'wx', 0o644));
      const isExecutable = (mode & 0o111) !== 0;
      if (isExecutable) attempt(place, () => fchmodSync(descriptor, 0o755));
      noteExecuteBit(place, isExecutable);
      // Readers of archives deliver blocks of half a kilobyte.
      let blocks: Uint8Array[] = [];
      let held = 0;
      const flush = (): void => {
        const bytes = blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks, held);
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
        blocks = [];
        held = 0;
      };
      return {
        write(bytes) {
          guard.count(bytes.length);
          blocks.push(bytes);
          held += bytes.length;
          if (held >= MAX_HELD_BYTES) attempt(place, flush);
        },
        close() {
          try {
            if (held > 0) attempt(place, flush);
          } finally {
            attempt(place, () => closeSync(descriptor));
          }
        },
      };
    },
    link(name, target) {
      const path = guard.admit(name, 'file');
      const isPlain =
        target !== '' &&
        target.length <= MAX_TARGET_LENGTH &&
        !target.startsWith('/') &&
        !/[\p{Cc}\\]|^[a-z]:/iu.test(target);
      const leadsTo = posix.normalize(posix.join(posix.dirname(path), target));
      if (!isPlain || leadsTo === '..' || leadsTo.startsWith('../')) throw leadsOut(path, target);
      links.push({ path, target });
    },
    finish() {
      for (const { path, target } of links) {
        makeParents(posix.dirname(path));
        attempt(join(dir, path), () => symlinkSync(target, join(dir, path)));
      }
      const root = links.length === 0 ? dir : realpathSync.native(dir);
      for (const { path, target } of links) checkLink(root, path, target);
    },
  };
}

/** Checks the real target: a path that looks inside can still escape through another link. */
function checkLink(root: string, path: string, target: string): void {
  let real: string;
  try {
    real = realpathSync.native(join(root, path));
  } catch (error) {
    if (isMissing(error)) throw unsafeArchive(`link '${path}' points to a missing file: '${target}'`);
    if (systemErrorCode(error) === 'ELOOP') throw unsafeArchive(`link '${path}' is circular`);
    throw error;
  }
  if (!isInside(root, real)) throw leadsOut(path, target);
  if (isInside(real, join(root, dirname(path))))
    throw unsafeArchive(`link '${path}' points to a directory that contains it`);
}

function leadsOut(path: string, target: string) {
  return unsafeArchive(`link '${path}' points outside: '${target}'`);
}

function attempt<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw writeError(place, error);
  }
}
