// Reads a zip archive: its directory first, checked against each local header, then entry by entry.

import { crc32 } from 'node:zlib';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import { unsafeArchive } from './entry-guard.ts';
import type { Extraction } from './extract-tar.ts';
import { readAt } from './read-at.ts';

/** Bits of an entry's flags. */
const ENCRYPTED = 0x1;
const DATA_DESCRIPTOR = 0x8;
/** Placeholder size that says the real one is in the zip64 record. */
const ELSEWHERE = 0xffffffff;
const UNIX = 3;
const DIRECTORY_MARK = Buffer.from('PK\x01\x02', 'latin1');
const MAX_TARGET_BYTES = 4096;

interface NamedEntry {
  readonly entry: Entry;
  readonly name: string;
}

/** Unpacks a zip file. Throws E205 for refused entries, else the library's error: the caller names the archive. */
export async function extractZip(file: string, extraction: Extraction): Promise<void> {
  const { limits } = extraction;
  const zip = await openPromise(file, { autoClose: false, decodeStrings: false });
  try {
    if (zip.entryCount > limits.maxEntries) throw unsafeArchive(`more than ${limits.maxEntries} entries`);
    const entries: NamedEntry[] = [];
    for await (const entry of zip.eachEntry()) {
      const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry;
      entries.push({ entry, name: getFileNameLowLevel(flags, fileNameRaw, extraFields, true) });
    }
    if (entries.length === 0) throw unsafeArchive('it is empty');
    if (hasMore(file, zip)) throw unsafeArchive('its directory has more entries than its count');
    await checkPlaces(zip, entries);
    for (const entry of entries) {
      extraction.signal?.throwIfAborted();
      await extractEntry(zip, entry, extraction);
    }
  } finally {
    zip.close();
  }
}

/** Whether another entry follows the last one that the directory counts. */
function hasMore(file: string, zip: ZipFile): boolean {
  return readAt(file, Number(zip.readEntryCursor), DIRECTORY_MARK.length).equals(DIRECTORY_MARK);
}

/** Checks that entries do not overlap and that each local header agrees with the directory. */
async function checkPlaces(zip: ZipFile, entries: readonly NamedEntry[]): Promise<void> {
  const ordered = entries.toSorted(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  for (const { entry, name } of ordered) {
    if (entry.relativeOffsetOfLocalHeader < end) throw unsafeArchive(`entry '${name}' overlaps another`);
    const local = await zip.readLocalFileHeaderPromise(entry, {});
    end = local.fileDataStart + entry.compressedSize;
    const saysSizes = (local.generalPurposeBitFlag & DATA_DESCRIPTOR) === 0;
    const isSame = (here: number, there: number) => here === there || here === ELSEWHERE;
    if (
      !local.fileName.equals(entry.fileNameRaw) ||
      local.compressionMethod !== entry.compressionMethod ||
      (local.generalPurposeBitFlag & ENCRYPTED) !== (entry.generalPurposeBitFlag & ENCRYPTED) ||
      (saysSizes &&
        !(
          local.crc32 === entry.crc32 &&
          isSame(local.compressedSize, entry.compressedSize) &&
          isSame(local.uncompressedSize, entry.uncompressedSize)
        ))
    )
      throw unsafeArchive(`entry '${name}' has two different headers`);
  }
}

async function extractEntry(zip: ZipFile, named: NamedEntry, extraction: Extraction): Promise<void> {
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
  { entry, name }: NamedEntry,
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
