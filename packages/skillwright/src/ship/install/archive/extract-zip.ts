// Unpacks a zip archive: its directory first, then entry by entry.

import { crc32 } from 'node:zlib';
import type { ZipFile } from 'yauzl';
import { openZip, unsafeArchive, type ZipMember } from '../../../base/archive/index.ts';
import type { Extraction } from './extract-tar.ts';

const UNIX = 3;
const MAX_TARGET_BYTES = 4096;

/** Unpacks a zip file. Throws E205 for refused entries, else the library's error: the caller names the archive. */
export async function extractZip(file: string, extraction: Extraction): Promise<void> {
  const { zip, members, fault } = openZip(file, extraction.limits.maxEntries);
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
    await readEntry(zip, named, { extraction, take: (chunk) => target.push(chunk) });
    writer.link(name, Buffer.concat(target).toString('utf8'));
    return;
  }
  if (type !== 0 && type !== 0o100000)
    throw unsafeArchive(`entry '${name}' is neither a file nor a directory`);
  const file = writer.file(name, mode);
  try {
    await readEntry(zip, named, { extraction, take: (chunk) => file.write(chunk) });
  } finally {
    file.close();
  }
}

async function readEntry(
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
