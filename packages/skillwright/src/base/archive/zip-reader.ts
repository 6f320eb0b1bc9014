// Reads the directory of a zip archive, zip64 included, and checks it against each local header.

import { Readable } from 'node:stream';
import {
  type Entry,
  fromRandomAccessReader,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { unsafeArchive } from './archive-format.ts';

/** An entry of a zip archive. */
export interface ZipMember {
  readonly entry: Entry;
  readonly name: string;
  /** Where its content starts; undefined if its local header cannot be read. */
  start: number | undefined;
}

/** A zip archive whose directory was read. */
interface OpenedZip {
  readonly zip: ZipFile;
  readonly members: readonly ZipMember[];
  /** Why it must not be unpacked. */
  readonly fault: unknown;
}

/** Bits of an entry's flags. */
const ENCRYPTED = 0x1;
const DATA_DESCRIPTOR = 0x8;
/** Placeholder size that says the real one is in the zip64 record. */
const ELSEWHERE = 0xffffffff;
const DIRECTORY_MARK = Buffer.from('PK\x01\x02', 'latin1');
/** The end of the directory; its last two bytes are the length of a comment. */
const END_MARK = Buffer.from('PK\x05\x06', 'latin1');
const END_BYTES = 22;

/** Reads the directory of a zip archive, up to a number of entries. Throws when it has none. */
export function openZip(bytes: Buffer, maxEntries: number): OpenedZip {
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false };
  let zip: ZipFile | undefined;
  let fault: unknown;
  const fail = (error: unknown): void => {
    fault ??= error;
  };
  fromRandomAccessReader(new BytesReader(bytes), bytes.length, options, (error, opened) => {
    fail(error ?? undefined);
    zip = opened;
  });
  if (zip === undefined) {
    const whole = withoutTail(bytes);
    // Other programs read such an archive: its entries are known, and that it must not be unpacked.
    if (whole !== undefined) return { ...openZip(whole, maxEntries), fault };
    throw fault ?? unsafeArchive('it cannot be read');
  }
  if (zip.entryCount > maxEntries) fail(unsafeArchive(`more than ${maxEntries} entries`));
  const members = readMembers(zip, { most: Math.min(zip.entryCount, maxEntries), fail });
  if (members.length === 0) fail(unsafeArchive('it is empty'));
  const end = Number(zip.readEntryCursor);
  if (bytes.subarray(end, end + DIRECTORY_MARK.length).equals(DIRECTORY_MARK))
    fail(unsafeArchive('its directory has more entries than its count'));
  checkPlaces(zip, members, fail);
  return { zip, members, fault };
}

/** The bytes up to the end of the directory; undefined if nothing follows it. */
function withoutTail(bytes: Buffer): Buffer | undefined {
  const mark = bytes.lastIndexOf(END_MARK);
  if (mark < 0 || mark + END_BYTES > bytes.length) return undefined;
  const length = mark + END_BYTES + bytes.readUInt16LE(mark + END_BYTES - 2);
  return length < bytes.length ? bytes.subarray(0, length) : undefined;
}

function readMembers(
  zip: ZipFile,
  { most, fail }: { most: number; fail(error: unknown): void },
): ZipMember[] {
  const members: ZipMember[] = [];
  zip.on('error', fail);
  // The readers below answer at once, so the library does, too.
  zip.on('entry', (entry: Entry) => {
    members.push({ entry, name: memberName(entry, fail), start: undefined });
  });
  for (let count = 0; count < most && members.length === count; count++) zip.readEntry();
  if (members.length < most) fail(unsafeArchive('an entry has no name'));
  return members;
}

function memberName(
  { generalPurposeBitFlag, fileNameRaw, extraFields }: Entry,
  fail: (error: unknown) => void,
): string {
  try {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  } catch (error) {
    fail(error);
    return fileNameRaw.toString('utf8');
  }
}

/** Checks that entries do not overlap and that each local header agrees with the directory. */
function checkPlaces(zip: ZipFile, members: readonly ZipMember[], fail: (error: unknown) => void): void {
  const ordered = members.toSorted(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  for (const member of ordered) {
    const { entry, name } = member;
    if (entry.relativeOffsetOfLocalHeader < end) fail(unsafeArchive(`entry '${name}' overlaps another`));
    zip.readLocalFileHeader(entry, {}, (error, local) => {
      if (local === undefined) {
        fail(error);
        return;
      }
      member.start = local.fileDataStart;
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
        fail(unsafeArchive(`entry '${name}' has two different headers`));
    });
  }
}

/** Answers the library at once, so that a directory is read without waiting. */
class BytesReader extends RandomAccessReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead: number) => void,
  ): void {
    callback(null, this.#bytes.copy(into, offset, position, position + length));
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from([this.#bytes.subarray(start, end)]);
  }
}
