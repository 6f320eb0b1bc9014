// Cache of the words of one root's skills. Words depend only on the content of a SKILL.md, so its digest is the key.
// A line with a checksum of the rest, a line of JSON, then the arrays of the indexes as they are in memory.

import { readFileSync } from 'node:fs';
import { createSha256, sha256 } from '../../base/files/index.ts';
import { cachePath, writeCacheFile } from './root-cache.ts';
import { WORDS_VERSION } from './skill-words.ts';
import type { WordIndex } from './word-index.ts';

/** Location of the cache. */
interface WordsPlace {
  readonly directory: string;
  readonly root: string;
}

/** The words of some skills, and their digests in the order of the documents. */
export interface KnownWords {
  readonly index: WordIndex;
  readonly digests: readonly string[];
}

/** The second line. */
interface Header {
  readonly version: number;
  readonly root: string;
  readonly indexes: readonly { readonly size: number; readonly words: number; readonly places: number }[];
}

const DIGEST_BYTES = 32;

/** Cached words of a root's skills; none when there is no valid file. Never throws. */
export function readCachedWords({ directory, root }: WordsPlace): KnownWords[] {
  try {
    const bytes = readFileSync(cachePath(directory, 'words', root));
    const rest = bytes.subarray(bytes.indexOf(10) + 1);
    if (bytes.toString('utf8', 0, bytes.indexOf(10)) !== sha256(rest)) return [];
    let at = rest.indexOf(10) + 1;
    const header = JSON.parse(rest.toString('utf8', 0, at)) as Header;
    if (header.version !== WORDS_VERSION || header.root !== root) return [];
    // Copied, because arrays need their numbers at even addresses.
    const take = (length: number) => {
      at += length;
      return Uint8Array.from(rest.subarray(at - length, at)).buffer;
    };
    return header.indexes.map(({ size, words, places }) => {
      const digests = Buffer.from(take(size * DIGEST_BYTES)).toString('hex');
      return {
        digests: Array.from({ length: size }, (_, place) => digests.slice(64 * place, 64 * (place + 1))),
        index: {
          size,
          hashes: new Int32Array(take(4 * words)),
          starts: new Uint32Array(take(4 * (words + 1))),
          documents: new Uint16Array(take(2 * places)),
          weights: new Uint8Array(take(places)),
        },
      };
    });
  } catch {
    // Missing, unreadable or damaged: read the words again.
    return [];
  }
}

/** Caches the words of a root's skills. A failed write is ignored. Never throws. */
export function writeCachedWords({ directory, root }: WordsPlace, known: readonly KnownWords[]): void {
  const header: Header = {
    version: WORDS_VERSION,
    root,
    indexes: known.map(({ index: { size, hashes, weights } }) => ({
      size,
      words: hashes.length,
      places: weights.length,
    })),
  };
  const parts = known.flatMap(({ digests, index: { hashes, starts, documents, weights } }) => [
    Buffer.from(digests.join(''), 'hex'),
    ...[hashes, starts, documents, weights].map((numbers) =>
      Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength),
    ),
  ]);
  parts.unshift(Buffer.from(`${JSON.stringify(header)}\n`));
  const hasher = createSha256();
  for (const part of parts) hasher.update(part);
  writeCacheFile(cachePath(directory, 'words', root), [`${hasher.digest('hex')}\n`, ...parts]);
}
