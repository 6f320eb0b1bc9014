// The words of the skills of one root, remembered between starts. They belong to the content of a SKILL.md, so its
// digest is all that has to fit. Binary: magic, version and counts, digests, lengths, hashes, weights, a checksum of all that.

import { readFileSync } from 'node:fs';
import { createSha256, sha256 } from '../../base/files/index.ts';
import { cachePath, writeCacheFile } from './cache-file.ts';
import type { SkillWords } from './skill-words.ts';

const MAGIC = 0x534b5701;
const HEADER_BYTES = 16;
const CHECKSUM_BYTES = 32;
const DIGEST_BYTES = 32;

/** Where the words of a root's skills are remembered. `version` says how they were read: others are not the same words. */
export interface WordsPlace {
  readonly directory: string;
  readonly root: string;
  readonly version: number;
}

/** The words of skills by digest; empty when there is no file that can be trusted. Never throws. */
export function readWords({ directory, root, version }: WordsPlace): Map<string, SkillWords> {
  const words = new Map<string, SkillWords>();
  try {
    const file = readFileSync(cachePath(directory, 'words', root));
    const [magic, written, count, total] = [0, 4, 8, 12].map((at) => file.readUInt32LE(at)) as [
      number,
      number,
      number,
      number,
    ];
    const lengthsAt = HEADER_BYTES + count * DIGEST_BYTES;
    const hashesAt = lengthsAt + count * 4;
    const weightsAt = hashesAt + total * 4;
    const end = weightsAt + total;
    if (magic !== MAGIC || written !== version || file.length !== end + CHECKSUM_BYTES) return words;
    if (sha256(file.subarray(0, end)) !== file.toString('hex', end)) return words;
    // Views of numbers have to start at a multiple of their size.
    const bytes = file.byteOffset % 4 === 0 ? file : Buffer.from(Uint8Array.from(file).buffer);
    const lengths = new Uint32Array(bytes.buffer, bytes.byteOffset + lengthsAt, count);
    const hashes = new Int32Array(bytes.buffer, bytes.byteOffset + hashesAt, total);
    const weights = new Uint8Array(bytes.buffer, bytes.byteOffset + weightsAt, total);
    let start = 0;
    for (let index = 0; index < count; index++) {
      const next = start + (lengths[index] as number);
      const at = HEADER_BYTES + index * DIGEST_BYTES;
      const vector = { hashes: hashes.subarray(start, next), weights: weights.subarray(start, next) };
      words.set(bytes.toString('hex', at, at + DIGEST_BYTES), vector);
      start = next;
    }
  } catch {
    // Missing, unreadable or damaged: the words are read again.
    words.clear();
  }
  return words;
}

/** Remembers the words of the skills of a root. What cannot be written is not remembered. Never throws. */
export function writeWords(place: WordsPlace, words: ReadonlyMap<string, SkillWords>): void {
  const { directory, root, version } = place;
  writeCacheFile(cachePath(directory, 'words', root), withChecksum(makeParts(words, version)));
}

const PART_BYTES = 1024 * 1024;

/** The file in parts of moderate size, as all of it may be large. */
function* makeParts(words: ReadonlyMap<string, SkillWords>, version: number): Generator<Uint8Array> {
  const vectors = [...words.values()];
  const lengths = Uint32Array.from(vectors, ({ hashes }) => hashes.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  yield bytesOf(Uint32Array.from([MAGIC, version, words.size, total]));
  yield Buffer.from([...words.keys()].join(''), 'hex');
  yield bytesOf(lengths);
  yield* gather(vectors.map(({ hashes }) => bytesOf(hashes)));
  yield* gather(vectors.map(({ weights }) => weights));
}

function* gather(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    batch.push(piece);
    size += piece.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
  yield Buffer.concat(batch);
}

function* withChecksum(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  const hasher = createSha256();
  for (const part of parts) {
    hasher.update(part);
    yield part;
  }
  yield Buffer.from(hasher.digest('hex'), 'hex');
}

function bytesOf(numbers: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
