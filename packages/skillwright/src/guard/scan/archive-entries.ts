// Reads the files of an archive inside a skill, in memory and within limits.

import { gunzipSync, inflateRawSync } from 'node:zlib';
import { archiveFormat, createTarReader, openZip, unsafeArchive } from '../../base/archive/index.ts';

/** A file in an archive. */
interface ArchiveEntry {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Contents of an archive. */
interface ArchiveContent {
  readonly entries: readonly ArchiveEntry[];
  /** Why part of it could not be read. */
  readonly problem: string | undefined;
  /** Whether it is password-protected. */
  readonly isLocked: boolean;
}

const MAX_ENTRIES = 2000;

/** Reads the files of a zip, tar or gzip file; undefined for any other file. Never throws. */
export function archiveEntries(bytes: Buffer, maxBytes: number): ArchiveContent | undefined {
  try {
    switch (archiveFormat(bytes)) {
      case 'zip':
        return readZip(bytes, maxBytes);
      case 'gzip': {
        const unpacked = gunzipSync(bytes, { maxOutputLength: maxBytes });
        return archiveFormat(unpacked) === 'tar'
          ? readTar(unpacked)
          : { entries: [{ path: 'content', bytes: unpacked }], problem: undefined, isLocked: false };
      }
      case 'tar':
        return readTar(bytes);
    }
  } catch {
    return { entries: [], problem: 'the archive exceeds the limits or is damaged', isLocked: false };
  }
  return /^(?:7z\xbc\xaf|Rar!|BZh|\xfd7zXZ|MSCF)/.test(bytes.toString('latin1', 0, 6))
    ? { entries: [], problem: 'unsupported archive type', isLocked: false }
    : undefined;
}

function readTar(bytes: Buffer): ArchiveContent {
  const entries: ArchiveEntry[] = [];
  const reader = createTarReader(
    ({ path, kind }) => {
      if (kind !== 'file') return undefined;
      if (entries.length >= MAX_ENTRIES) throw unsafeArchive(`more than ${MAX_ENTRIES} entries`);
      const parts: Uint8Array[] = [];
      return {
        write: (part) => parts.push(part),
        close: () => entries.push({ path, bytes: Buffer.concat(parts) }),
      };
    },
    { goesOn: true },
  );
  reader.write(bytes);
  reader.end();
  reader.discard();
  return { entries, problem: problemOf(reader.fault), isLocked: false };
}

function readZip(bytes: Buffer, maxBytes: number): ArchiveContent {
  const entries: ArchiveEntry[] = [];
  const { zip, members, fault } = openZip(bytes, MAX_ENTRIES);
  zip.close();
  let problem = members.length === 0 ? undefined : problemOf(fault);
  let left = maxBytes;
  for (const { entry, name, start } of members) {
    if (name.endsWith('/') || entry.isEncrypted() || start === undefined) continue;
    const packed = bytes.subarray(start, start + entry.compressedSize);
    try {
      if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
        throw new RangeError('unknown method');
      const content =
        entry.compressionMethod === 0
          ? packed
          : inflateRawSync(packed, { maxOutputLength: Math.max(1, left) });
      left -= content.length;
      entries.push({ path: name, bytes: content });
    } catch {
      problem ??= 'the archive holds more than is scanned';
    }
  }
  return { entries, problem, isLocked: members.some(({ entry }) => entry.isEncrypted()) };
}

const problemOf = (fault: unknown): string | undefined =>
  fault === undefined ? undefined : fault instanceof Error ? fault.message : 'the archive is damaged';
