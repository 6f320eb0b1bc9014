// The words of the skills of one root, remembered between starts. They belong to the content of a SKILL.md, so its
// digest is all that has to fit. Binary: some numbers, the digests of the documents, the index, a checksum of all that.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createSha256 } from '../../base/files/index.ts';
import { cachePath, writeCacheFile } from './cache-file.ts';
import { createWordIndex, KINDS, LISTS, LISTS_NUMBERS, PAGE_BYTES, type WordIndex } from './word-index.ts';

/** The format, how words were read, and how many documents, words and pages there are. */
const HEADER = 5;
const MAGIC = 0x534b5702;
const CHECKSUM_BYTES = 32;
const DIGEST_BYTES = 32;

/** Where the words of a root's skills are remembered. `version` says how they were read: others are not the same words. */
export interface WordsPlace {
  readonly directory: string;
  readonly root: string;
  readonly version: number;
}

/** The words of skills, and the document of each by digest. */
export interface RememberedWords {
  readonly index: WordIndex;
  readonly documents: Map<string, number>;
}

/** What is remembered of a root's skills; nothing when there is no file that can be trusted. Never throws. */
export function readCachedWords({ directory, root, version }: WordsPlace): RememberedWords {
  try {
    return readFile(cachePath(directory, 'words', root), version) ?? forgetWords();
  } catch {
    // Missing, unreadable or damaged: the words are read again.
    return forgetWords();
  }
}

/** Words of no skill, to begin with. */
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

/** Takes one piece of a file after the other, each into its own place, and then compares the checksum of all of them. */
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

/** Remembers the words of the skills of a root. What cannot be written is not remembered. Never throws. */
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
