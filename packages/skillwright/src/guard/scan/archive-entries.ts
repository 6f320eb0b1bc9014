// Reads the files of an archive inside a skill, in memory and within limits.

import { gunzipSync, inflateRawSync } from 'node:zlib';

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
const EOCD = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const BLOCK = 512;

/** Reads the files of a zip, tar or gzip file; undefined for any other file. Never throws. */
export function archiveEntries(bytes: Buffer, maxBytes: number): ArchiveContent | undefined {
  const magic = bytes.subarray(0, 6).toString('latin1');
  try {
    if (magic.startsWith('PK\x03\x04') || magic.startsWith('PK\x05\x06')) return readZip(bytes, maxBytes);
    if (magic.startsWith('\x1f\x8b')) {
      const unpacked = gunzipSync(bytes, { maxOutputLength: maxBytes });
      return isTar(unpacked)
        ? readTar(unpacked)
        : { entries: [{ path: 'content', bytes: unpacked }], problem: undefined, isLocked: false };
    }
    if (isTar(bytes)) return readTar(bytes);
  } catch {
    return { entries: [], problem: 'the archive exceeds the limits or is damaged', isLocked: false };
  }
  return /^(?:7z\xbc\xaf|Rar!|BZh|\xfd7zXZ|MSCF)/.test(magic)
    ? { entries: [], problem: 'unsupported archive type', isLocked: false }
    : undefined;
}

const isTar = (bytes: Buffer): boolean =>
  bytes.length >= BLOCK && bytes.subarray(257, 262).toString('latin1') === 'ustar';

function readTar(bytes: Buffer): ArchiveContent {
  const entries: ArchiveEntry[] = [];
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    const text = (from: number, to: number): string =>
      header.subarray(from, to).toString('utf8').split('\0', 1)[0]!;
    const size = Number.parseInt(text(124, 136).trim() || '0', 8);
    if (header.every((byte) => byte === 0)) break;
    if (!Number.isSafeInteger(size) || size < 0 || entries.length >= MAX_ENTRIES)
      return { entries, problem: 'the archive holds more than is scanned', isLocked: false };
    const type = text(156, 157);
    if (type === '' || type === '0')
      entries.push({
        path: [text(345, 500), text(0, 100)].filter(Boolean).join('/'),
        bytes: bytes.subarray(at + BLOCK, at + BLOCK + size),
      });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { entries, problem: undefined, isLocked: false };
}

function readZip(bytes: Buffer, maxBytes: number): ArchiveContent {
  const entries: ArchiveEntry[] = [];
  let problem: string | undefined;
  let isLocked = false;
  let left = maxBytes;
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 65_558 && bytes.readUInt32LE(end) !== EOCD) end--;
  if (end < 0 || bytes.readUInt32LE(end) !== EOCD)
    return { entries, problem: 'the archive has no directory', isLocked };
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) problem = 'the archive holds more than is scanned';
  let at = bytes.readUInt32LE(end + 16);
  for (let number = 0; number < Math.min(count, MAX_ENTRIES); number++) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY)
      return { entries, problem: 'the directory of the archive is damaged', isLocked };
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const nameLength = bytes.readUInt16LE(at + 28);
    const path = bytes.subarray(at + 46, at + 46 + nameLength).toString('utf8');
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + packed);
    if ((bytes.readUInt16LE(at + 8) & 1) === 1) isLocked = true;
    else if (!path.endsWith('/')) {
      try {
        const content = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, left) });
        if (method !== 0 && method !== 8) throw new RangeError('unknown method');
        left -= content.length;
        entries.push({ path, bytes: content });
      } catch {
        problem = 'the archive holds more than is scanned';
      }
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return { entries, problem, isLocked };
}
