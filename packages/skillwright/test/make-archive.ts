// Valid and broken archives, made byte by byte, for tests of unpacking.

import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** One entry of a tar archive. */
export interface TarEntry {
  readonly name: string | Buffer;
  readonly body?: string | Uint8Array;
  /** `0` a file, `1` a hard link, `2` a link, `3` a character device, `5` a directory, `6` a pipe, … */
  readonly type?: string;
  readonly mode?: number;
  readonly link?: string;
  /** A false length in the header. */
  readonly size?: Buffer | string;
  /** Leaves the checksum wrong. */
  readonly damaged?: boolean;
}

/** The blocks of one entry. */
export function tarEntry(entry: TarEntry): Buffer {
  const body = Buffer.from(entry.body ?? '');
  const header = Buffer.alloc(512);
  header.write('ustar\0' + '00', 257, 'latin1');
  if (typeof entry.name === 'string') header.write(entry.name, 0, 100, 'utf8');
  else entry.name.copy(header, 0);
  header.write(`${(entry.mode ?? 0o644).toString(8).padStart(7, '0')}\0`, 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  const size = entry.size ?? `${body.length.toString(8).padStart(11, '0')}\0`;
  if (typeof size === 'string') header.write(size, 124, 12, 'latin1');
  else size.copy(header, 124);
  header.write('00000000000\0', 136, 'latin1');
  header.write(entry.type ?? '0', 156, 'latin1');
  header.write(entry.link ?? '', 157, 100, 'utf8');
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, entry.damaged ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

/** A tar archive; strings are files with that content. */
export function makeTar(entries: readonly TarEntry[] | Readonly<Record<string, string>>): Buffer {
  const list: readonly TarEntry[] = Array.isArray(entries)
    ? (entries as readonly TarEntry[])
    : Object.entries(entries).map(([name, body]) => ({ name, body: body as string }));
  return Buffer.concat([...list.map(tarEntry), Buffer.alloc(1024)]);
}

/** The same, packed. */
export function makeTarGz(entries: Parameters<typeof makeTar>[0]): Buffer {
  return gzipSync(makeTar(entries));
}

/** A PAX header for the next entry. */
export function paxHeader(records: Readonly<Record<string, string>>): TarEntry {
  const body = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    let length = rest.length + 1;
    while (String(length).length + rest.length !== length) length += 1;
    return `${length}${rest}`;
  });
  return { name: 'PaxHeader', type: 'x', body: body.join('') };
}

/** One entry of a zip archive. */
export interface ZipEntry {
  readonly name: string | Buffer;
  readonly body?: string | Uint8Array;
  /** Type and permissions as Unix has them. */
  readonly mode?: number;
  readonly stored?: boolean;
  /** Sizes and checksum follow the content instead of standing before it. */
  readonly descriptor?: boolean;
  /** Sizes stand in the extra field for large files. */
  readonly zip64?: boolean;
  /** Bits of the flags, besides those that follow from the rest. */
  readonly flags?: number;
  /** False values for the local header. */
  readonly localName?: string;
  readonly localSize?: number;
  /** False values for the central directory. */
  readonly crc?: number;
  readonly size?: number;
  /** Points at the content of this entry, by position. */
  readonly sharedWith?: number;
}

/** A zip archive; strings are files with that content. */
export function makeZip(
  entries: readonly ZipEntry[] | Readonly<Record<string, string>>,
  options: { readonly trailing?: string; readonly count?: number } = {},
): Buffer {
  const list: readonly ZipEntry[] = Array.isArray(entries)
    ? (entries as readonly ZipEntry[])
    : Object.entries(entries).map(([name, body]) => ({ name, body: body as string }));
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const entry of list) {
    const content = Buffer.from(entry.body ?? '');
    const packed = entry.stored ? content : deflateRawSync(content);
    const facts = {
      flags: 0x800 | (entry.descriptor ? 8 : 0) | (entry.flags ?? 0),
      method: entry.stored ? 0 : 8,
      crc: entry.crc ?? crc32(content),
      packed: packed.length,
      size: entry.size ?? content.length,
    };
    offsets.push(entry.sharedWith === undefined ? offset : offsets[entry.sharedWith]!);
    if (entry.sharedWith === undefined) {
      const local = localHeader(entry, facts);
      const tail = entry.descriptor ? descriptorOf(facts) : Buffer.alloc(0);
      parts.push(local, packed, tail);
      offset += local.length + packed.length + tail.length;
    }
    directory.push(centralHeader(entry, { ...facts, offset: offsets.at(-1)! }));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.count ?? list.length, 8);
  end.writeUInt16LE(options.count ?? list.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end, Buffer.from(options.trailing ?? '')]);
}

interface ZipFacts {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

const LARGE = 0xffffffff;

function extraOf({ size, packed }: ZipFacts, isLarge: boolean | undefined): Buffer {
  if (!isLarge) return Buffer.alloc(0);
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(BigInt(size), 4);
  extra.writeBigUInt64LE(BigInt(packed), 12);
  return extra;
}

function localHeader(entry: ZipEntry, facts: ZipFacts): Buffer {
  const name = Buffer.from(entry.localName ?? entry.name);
  const extra = extraOf(facts, entry.zip64);
  const header = Buffer.alloc(30);
  const isLater = entry.descriptor === true;
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(facts.flags, 6);
  header.writeUInt16LE(facts.method, 8);
  header.writeUInt32LE(isLater ? 0 : facts.crc, 14);
  header.writeUInt32LE(entry.zip64 ? LARGE : isLater ? 0 : facts.packed, 18);
  header.writeUInt32LE(entry.zip64 ? LARGE : isLater ? 0 : (entry.localSize ?? facts.size), 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function centralHeader(entry: ZipEntry, facts: ZipFacts & { offset: number }): Buffer {
  const name = Buffer.from(entry.name);
  const extra = extraOf(facts, entry.zip64);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE((3 << 8) | 20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(facts.flags, 8);
  header.writeUInt16LE(facts.method, 10);
  header.writeUInt32LE(facts.crc, 16);
  header.writeUInt32LE(entry.zip64 ? LARGE : facts.packed, 20);
  header.writeUInt32LE(entry.zip64 ? LARGE : facts.size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
  header.writeUInt32LE(facts.offset, 42);
  return Buffer.concat([header, name, extra]);
}

function descriptorOf({ crc, packed, size }: ZipFacts): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}
