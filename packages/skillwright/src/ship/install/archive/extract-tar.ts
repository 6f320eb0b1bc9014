// Unpacks a tar archive, with or without gzip.

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { createTarReader, type TarMember, unsafeArchive } from '../../../base/archive/index.ts';
import type { ArchiveLimits, EntryGuard } from './entry-guard.ts';
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
const SMALL_BYTES = 256 * 1024;
const SMALL_UNPACKED_BYTES = 4 * 1024 * 1024;

/** Unpacks a tar file. Throws E205 for refused entries, else the library's error: the caller names the archive. */
export async function extractTar(
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

/** Starts an entry; undefined when there is nothing to write. */
function begin({ path, kind, mode, target }: TarMember, writer: TreeWriter): OpenEntry | undefined {
  if (kind === 'file') return writer.file(path, mode);
  if (kind === 'directory') writer.directory(path);
  else writer.link(path, target);
  return undefined;
}
