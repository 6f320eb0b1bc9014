// Inverted index from words to documents. Documents are added one at a time, and each word's list grows in pieces of
// increasing size: a list takes two or three bytes per document, and nothing is ever copied. The arrays can be
// written to a file unchanged.

import { createTermTable, type TermTable } from './term-table.ts';

/** Index of the documents that contain each word. */
export interface WordIndex {
  readonly terms: TermTable;
  /** Number of documents. */
  readonly size: number;
  /** Starts the next document and returns its number. */
  begin(): number;
  /** Adds a word to the latest document. */
  add(term: number, weight: number): void;
  /** Number of documents that contain a word. */
  count(hash: number): number;
  /** Calls `visit` for every document that contains a word, in order. */
  each(hash: number, visit: (document: number, weight: number) => void): void;
  readonly state: WordIndexState;
}

/** The raw arrays of an index. */
interface WordIndexState {
  readonly size: number;
  readonly hashes: Int32Array;
  /** In pages, per term: start and end of its list, last document counted from 1, and number of documents. */
  readonly lists: readonly Int32Array[];
  readonly pages: readonly Uint8Array[];
  /** The kind of pieces in each page, and the position of the next piece for each kind. */
  readonly kinds: readonly number[];
  readonly free: Int32Array;
}

const PAGE_BITS = 15;
export const PAGE_BYTES = 2 ** PAGE_BITS;
/** Sizes of pieces by kind. Each piece ends with the four-byte position of the next. */
const PIECES = [8, 16, 32, 64, 128, 256];
export const KINDS = PIECES.length;
const LINK_BYTES = 4;
/** Numbers per list, and their order. */
const LIST = 4;
const START = 0;
const END = 1;
const LAST = 2;
const COUNT = 3;
const LISTS_BITS = 12;
/** Lists per page, and numbers per page. */
export const LISTS = 2 ** LISTS_BITS;
export const LISTS_NUMBERS = LIST * LISTS;

const blank: WordIndexState = {
  size: 0,
  hashes: new Int32Array(0),
  lists: [],
  pages: [],
  kinds: [],
  free: new Int32Array(KINDS),
};

/** Creates an index, empty or from saved arrays. */
export function createWordIndex(state: WordIndexState = blank): WordIndex {
  const terms = createTermTable(state.hashes);
  let { size } = state;
  const lists = [...state.lists];
  const pages = [...state.pages];
  const kinds = [...state.kinds];
  const free = state.free.slice();

  const allocate = (kind: number): number => {
    let at = free[kind] as number;
    if (at % PAGE_BYTES === 0) {
      at = pages.length * PAGE_BYTES;
      pages.push(new Uint8Array(PAGE_BYTES));
      kinds.push(kind);
    }
    free[kind] = at + (PIECES[kind] as number);
    return at;
  };
  const isLink = (at: number): boolean => {
    const piece = PIECES[kinds[at >>> PAGE_BITS] as number] as number;
    return ((at + LINK_BYTES) & (piece - 1)) === 0;
  };
  const byteAt = (at: number): number =>
    (pages[at >>> PAGE_BITS] as Uint8Array)[at & (PAGE_BYTES - 1)] as number;
  const setByte = (at: number, byte: number): void => {
    (pages[at >>> PAGE_BITS] as Uint8Array)[at & (PAGE_BYTES - 1)] = byte;
  };
  /** Appends a byte to a list and returns the new end. */
  const append = (end: number, byte: number): number => {
    let at = end;
    if (isLink(at)) {
      const next = allocate(Math.min((kinds[at >>> PAGE_BITS] as number) + 1, KINDS - 1));
      for (let part = 0; part < LINK_BYTES; part++) setByte(at + part, next >>> (8 * part));
      at = next;
    }
    setByte(at, byte);
    return at + 1;
  };
  const follow = (at: number): number => {
    if (!isLink(at)) return at;
    let next = 0;
    for (let part = 0; part < LINK_BYTES; part++) next |= byteAt(at + part) << (8 * part);
    return next;
  };
  const pageOf = (term: number): Int32Array => {
    while (term >>> LISTS_BITS >= lists.length) lists.push(new Int32Array(LISTS_NUMBERS));
    return lists[term >>> LISTS_BITS] as Int32Array;
  };
  const count = (hash: number): number => {
    const term = terms.find(hash);
    return term === -1 ? 0 : (pageOf(term)[(term % LISTS) * LIST + COUNT] as number);
  };

  return {
    terms,
    get size() {
      return size;
    },
    begin() {
      size += 1;
      return size - 1;
    },
    add(term, weight) {
      const page = pageOf(term);
      const list = (term % LISTS) * LIST;
      let end = page[list + END] as number;
      if (page[list + COUNT] === 0) {
        end = allocate(0);
        page[list + START] = end;
      }
      // Distance to the previous document, seven bits per byte.
      let distance = size - (page[list + LAST] as number);
      for (; distance > 127; distance >>>= 7) end = append(end, (distance & 127) | 128);
      end = append(end, distance);
      page[list + END] = append(end, weight);
      page[list + LAST] = size;
      page[list + COUNT] = (page[list + COUNT] as number) + 1;
    },
    count,
    each(hash, visit) {
      const left = count(hash);
      if (left === 0) return;
      const term = terms.find(hash);
      let at = pageOf(term)[(term % LISTS) * LIST + START] as number;
      let document = -1;
      for (let number = 0; number < left; number++) {
        for (let shift = 0; ; shift += 7) {
          at = follow(at);
          const byte = byteAt(at++);
          document += (byte & 127) << shift;
          if (byte < 128) break;
        }
        at = follow(at);
        visit(document, byteAt(at++));
      }
    },
    get state() {
      return { size, hashes: terms.hashes, lists, pages, kinds, free };
    },
  };
}
