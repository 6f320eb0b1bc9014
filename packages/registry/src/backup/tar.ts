// Tar archives as a stream of entries. Names are ASCII and short, so the plain format is enough.

/** One file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
/** Larger than any entry a backup has. */
const MAX_ENTRY = 512 * 1024 * 1024;

/** Header, content and padding of an entry. */
export function* packEntry({ name, bytes }: TarEntry): Generator<Uint8Array> {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  if (name.length > 100) throw new Error(`the name is too long for an archive: ${name}`);
  header.write(name, 0, 'ascii');
  header.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8) + octal(bytes.length, 12) + octal(0, 12), 100);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  yield header;
  yield bytes;
  yield Buffer.alloc(paddingOf(bytes.length));
}

/** The end of an archive. */
export function packEnd(): Uint8Array {
  return Buffer.alloc(2 * BLOCK);
}

/** The entries of an archive; fails when it is cut off or is none. */
export async function* unpackEntries(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const take = reader(chunks);
  for (;;) {
    const header = await take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const text = (start: number, length: number) =>
      header.toString('latin1', start, start + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8);
    const claimed = Number.parseInt(text(148, 8), 8);
    const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
    if (sum !== claimed || !(size >= 0 && size <= MAX_ENTRY)) throw new Error('not a tar archive');
    const bytes = await take(size);
    await take(paddingOf(size));
    yield { name: text(0, 100), bytes };
  }
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Reads exact numbers of bytes from chunks of any size. */
function reader(chunks: AsyncIterable<Uint8Array>): (size: number) => Promise<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  return async (size) => {
    const parts: Uint8Array[] = [];
    let missing = size;
    while (missing > 0) {
      if (rest.length === 0) {
        const { done, value } = await iterator.next();
        if (done) throw new Error('the archive is cut off');
        rest = value;
      }
      const part = rest.subarray(0, missing);
      rest = rest.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts, size);
  };
}
