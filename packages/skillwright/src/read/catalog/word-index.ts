// Inverted index from words to documents. It does not change once it is made: new documents get an index of their own. Three
// arrays of numbers take seven bytes per word of a document or less, and can be written to a file unchanged.

/** The documents that contain each word: those of `hashes[n]` are from `starts[n]` up to `starts[n + 1]`. */
export interface WordIndex {
  /** Number of documents. */
  readonly size: number;
  /** In ascending order. */
  readonly hashes: Int32Array;
  readonly starts: Uint32Array;
  /** In ascending order for each word, with the weight of the word in each. */
  readonly documents: Uint16Array;
  readonly weights: Uint8Array;
}

/** Most documents of one index: their numbers have 16 bits, and what is collected for an index takes memory. */
export const MAX_DOCUMENTS = 2048;

/** Collects the words of documents. Its arrays are used again for the next index: new ones would be mostly garbage. */
export function createWordCollector() {
  let [hashes, places] = [new Int32Array(2 ** 16), new Int32Array(2 ** 16)];
  let [size, length] = [0, 0];
  return {
    /** Starts the next document. */
    begin(): void {
      size += 1;
    },
    add(hash: number, weight: number): void {
      if (length === hashes.length) [hashes, places] = [longer(hashes), longer(places)];
      hashes[length] = hash;
      places[length++] = ((size - 1) << 8) | weight;
    },
    /** The index of the documents since the last one. */
    finish(): WordIndex {
      const index = makeWordIndex(size, hashes.subarray(0, length), places);
      [size, length] = [0, 0];
      return index;
    },
  };
}

function longer(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

/** Each word comes with its place: its document, and in the last eight bits its weight. */
function makeWordIndex(size: number, read: Int32Array, places: Int32Array): WordIndex {
  const counts = new Map<number, number>();
  for (const hash of read) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  const hashes = Int32Array.from(counts.keys()).sort();
  const starts = new Uint32Array(hashes.length + 1);
  // From here on, the place of the next document of each word.
  for (const [place, hash] of hashes.entries()) {
    starts[place + 1] = starts[place]! + counts.get(hash)!;
    counts.set(hash, starts[place]!);
  }
  const index = {
    ...{ size, hashes, starts },
    documents: new Uint16Array(read.length),
    weights: new Uint8Array(read.length),
  };
  for (let at = 0; at < read.length; at++) {
    const place = counts.get(read[at]!)!;
    counts.set(read[at]!, place + 1);
    index.documents[place] = places[at]! >>> 8;
    index.weights[place] = places[at]! & 255;
  }
  return index;
}

/** The range of a word in `documents` and `weights`; empty for an unknown one. */
export function rangeOf({ hashes, starts }: WordIndex, hash: number): readonly [from: number, to: number] {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? [starts[low]!, starts[low + 1]!] : [0, 0];
}
