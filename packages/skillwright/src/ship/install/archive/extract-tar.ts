// Reads a tar archive, with or without gzip.

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { Parser } from 'tar/parse';
import type { ReadEntry } from 'tar/read-entry';
import type { ArchiveLimits } from './entry-guard.ts';
import { type EntryGuard, unsafeArchive } from './entry-guard.ts';
import type { OpenEntry, TreeWriter } from './tree-writer.ts';

/** Inputs of an extraction. */
export interface Extraction {
  readonly guard: EntryGuard;
  readonly writer: TreeWriter;
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal | undefined;
  onProgress(bytes: number): void;
}

const BLOCK = 512;
/** Allowance per entry for headers and long names. */
const OVERHEAD_PER_ENTRY = 4 * BLOCK;
const MAX_META_BYTES = 64 * 1024;
const SMALL_BYTES = 256 * 1024;
const SMALL_UNPACKED_BYTES = 4 * 1024 * 1024;

/** Unpacks a tar file. Throws E205 for refused entries, else the library's error: the caller names the archive. */
export async function extractTar(
  file: string,
  { gzip, ...extraction }: Extraction & { gzip: boolean },
): Promise<void> {
  const { guard, limits, signal } = extraction;
  const parser = createParser(extraction);
  const source = readSmall(file, gzip) ?? streamTar(file, gzip);
  let unpacked = 0;
  try {
    for await (const chunk of source.chunks) {
      signal?.throwIfAborted();
      unpacked += chunk.length;
      if (gzip) guard.compareRatio(unpacked, source.packed());
      if (unpacked > limits.maxBytes + (limits.maxEntries + 1) * OVERHEAD_PER_ENTRY + BLOCK * 128)
        throw unsafeArchive('data follows its last entry');
      parser.write(chunk);
      extraction.onProgress(guard.bytes);
    }
    parser.end();
  } finally {
    parser.discard();
    source.close();
  }
}

/** The bytes of a tar file. */
interface TarSource {
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
  /** Bytes read from the archive so far. */
  packed(): number;
  close(): void;
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
    close() {
      input.destroy();
      stream.destroy();
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

interface TarReader {
  write(chunk: Buffer): void;
  end(): void;
  /** Closes open files. */
  discard(): void;
}

/** Feeds the parser block by block, to detect data after the end of the archive. */
function createParser({ writer, guard }: Extraction): TarReader {
  let failure: unknown;
  let ended = false;
  let open: OpenEntry | undefined;
  const fail = (error: unknown): void => {
    failure ??= error;
  };
  const close = (): void => {
    const finished = open;
    open = undefined;
    try {
      finished?.close();
    } catch (error) {
      fail(error);
    }
  };
  const parser = new Parser({
    strict: true,
    maxMetaEntrySize: MAX_META_BYTES,
    onReadEntry(entry: ReadEntry) {
      try {
        // Everything is written synchronously; the parser emits the next entry when this one has ended.
        const target = failure === undefined ? begin(entry, writer) : undefined;
        open = target;
        entry.on('data', (chunk: Buffer) => {
          try {
            if (failure === undefined) target?.write(chunk);
          } catch (error) {
            fail(error);
          }
        });
        entry.on('end', close);
      } catch (error) {
        fail(error);
        entry.resume();
      }
    },
  });
  parser.on('error', fail);
  parser.on('ignoredEntry', (entry: ReadEntry) =>
    fail(unsafeArchive(`entry '${entry.path}' is neither a file nor a directory (${entry.type})`)),
  );
  parser.on('meta', (text: string) => {
    if (text.includes('GNU.sparse.')) fail(unsafeArchive('sparse files are not supported'));
    if (/^\d+ [^\0]*\0/.test(text)) fail(unsafeArchive('a name contains a control character'));
  });
  parser.on('eof', () => {
    ended = true;
  });
  const check = (): void => {
    if (failure !== undefined) throw failure;
  };

  return {
    write(chunk) {
      for (let at = 0; at < chunk.length; at += BLOCK) {
        const block = chunk.subarray(at, at + BLOCK);
        if (ended && block.some((byte) => byte !== 0))
          throw unsafeArchive('data follows the end of the archive');
        if (!ended) parser.write(block);
        check();
      }
    },
    end() {
      parser.end();
      check();
      if (guard.entries === 0) throw unsafeArchive('it is empty');
    },
    discard: close,
  };
}

/** Starts an entry; undefined when there is nothing to write. */
function begin(entry: ReadEntry, writer: TreeWriter): OpenEntry | undefined {
  const { path, type, linkpath = '' } = entry;
  if (entry.header.size === undefined) throw unsafeArchive(`entry '${path}' has an impossible size`);
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return writer.file(path, entry.mode ?? 0);
    case 'Directory':
      writer.directory(path);
      return undefined;
    case 'SymbolicLink':
      writer.link(path, linkpath);
      return undefined;
    case 'Link':
      throw unsafeArchive(`entry '${path}' is a hard link to '${linkpath}'`);
    default:
      throw unsafeArchive(`entry '${path}' is neither a file nor a directory (${type})`);
  }
}
