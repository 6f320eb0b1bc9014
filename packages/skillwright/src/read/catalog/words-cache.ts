// Cache of the words of one root's skills. Words depend only on the content of a SKILL.md, so its digest is the key.
// Binary: a few numbers, the digests of the documents, the index, and a checksum of it all.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createSha256 } from '../../base/files/index.ts';
import { cachePath, writeCacheFile } from './root-cache.ts';
import { createWordIndex, KINDS, LISTS, LISTS_NUMBERS, PAGE_BYTES, type WordIndex } from './word-index.ts';

/** Format, analysis version, and number of documents, words and pages. */
const HEADER = 5;
const MAGIC = 0x534b5702;
const CHECKSUM_BYTES = 32;
const DIGEST_BYTES = 32;

/** Location of the cache. `version` identifies the analysis; words of another version do not count. */
export interface WordsPlace {
  readonly directory: string;
  readonly root: string;
  readonly version: number;
}

/** Words of skills, and the document of each by digest. */
interface RememberedWords {
  readonly index: WordIndex;
  readonly documents: Map<string, number>;
}

/** Cached words of a root's skills; empty when there is no valid file. Never throws. */
export function readCachedWords({ directory, root, version }: WordsPlace): RememberedWords {
  try {
    return readFile(cachePath(directory, 'words', root), version) ?? forgetWords();
  } catch {
    // Missing, unreadable or damaged: read the words again.
    return forgetWords();
  }
}

/** An empty cache. */
export function forgetWords(): RememberedWords {
  return { index: createWordIndex(), documents: new Map() };
}

function readFile(path: string, version: number): RememberedWords | undefined {
  const descriptor = openSync(path, 'r');
  try {
    const take = createTaker(descriptor);
    const [magic, written, size, terms, pages] = [...take.numbers(HEADER)] as [
      number,
      number,
      number,
      number,
      number,
    ];
    const lists = Math.ceil(terms / LISTS);
    const numbers = HEADER + terms + lists * LISTS_NUMBERS + pages + KINDS;
    const isWhole =
      fstatSync(descriptor).size === 4 * numbers + size * DIGEST_BYTES + pages * PAGE_BYTES + CHECKSUM_BYTES;
    if (magic !== MAGIC || written !== version || !isWhole) return undefined;
    const digests = take.bytes(size * DIGEST_BYTES).toString('hex');
    const state = {
      size,
      hashes: take.numbers(terms),
      lists: Array.from({ length: lists }, () => take.numbers(LISTS_NUMBERS)),
      kinds: [...take.numbers(pages)],
      free: take.numbers(KINDS),
      pages: Array.from({ length: pages }, () => take.bytes(PAGE_BYTES)),
    };
    if (!take.isSound()) return undefined;
    const documents = new Map<string, number>();
    for (let document = 0; document < size; document++)
      documents.set(digests.slice(document * 64, document * 64 + 64), document);
    return { index: createWordIndex(state), documents };
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the pieces of a file in order, each into its own array, then checks their checksum. */
function createTaker(descriptor: number) {
  const hasher = createSha256();
  const read = (size: number): Buffer => {
    const buffer = Buffer.allocUnsafeSlow(size);
    for (let at = 0; at < size; ) {
      const count = readSync(descriptor, buffer, at, size - at, null);
      if (count === 0) throw new Error('the file ends too early');
      at += count;
    }
    return buffer;
  };
  const bytes = (size: number): Buffer => {
    const buffer = read(size);
    hasher.update(buffer);
    return buffer;
  };
  return {
    bytes,
    numbers: (count: number) => new Int32Array(bytes(count * 4).buffer),
    isSound: () => hasher.digest('hex') === read(CHECKSUM_BYTES).toString('hex'),
  };
}

/** Caches the words of a root's skills. A failed write is ignored. Never throws. */
export function writeCachedWords({ directory, root, version }: WordsPlace, words: RememberedWords): void {
  writeCacheFile(cachePath(directory, 'words', root), withChecksum(listParts(words, version)));
}

function* listParts({ index, documents }: RememberedWords, version: number): Generator<Uint8Array> {
  const { size, hashes, lists, pages, kinds, free } = index.state;
  yield bytesOf(Int32Array.of(MAGIC, version, size, hashes.length, pages.length));
  yield Buffer.from([...documents.keys()].join(''), 'hex');
  yield bytesOf(hashes);
  for (const page of lists) yield bytesOf(page);
  yield bytesOf(Int32Array.from(kinds));
  yield bytesOf(free);
  yield* pages;
}

function* withChecksum(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  const hasher = createSha256();
  for (const part of parts) {
    hasher.update(part);
    yield part;
  }
  yield Buffer.from(hasher.digest('hex'), 'hex');
}

function bytesOf(numbers: Int32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
