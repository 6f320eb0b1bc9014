// The words of the skills of one root, remembered between starts. They belong to the content of a SKILL.md, so its
// digest is all that has to fit. Binary: magic and counts, a checksum of the rest, digests, lengths, hashes, weights.

import { readFileSync } from 'node:fs';
import { sha256 } from '../files/hash.ts';
import { cachePath, writeCacheFile } from './cache-file.ts';
import type { SkillWords } from './skill-words.ts';

/** Changes with everything that decides what words weigh. */
const MAGIC = 0x534b5701;
const HEADER_BYTES = 12;
const CHECKSUM_BYTES = 32;
const DIGEST_BYTES = 32;

/** The words of skills by digest; empty when there is no file that can be trusted. Never throws. */
export function readWords(directory: string, root: string): Map<string, SkillWords> {
  const words = new Map<string, SkillWords>();
  try {
    const file = readFileSync(cachePath(directory, 'words', root));
    const body = HEADER_BYTES + CHECKSUM_BYTES;
    const [count, total] = [file.readUInt32LE(4), file.readUInt32LE(8)];
    const checksum = file.toString('hex', HEADER_BYTES, body);
    const isWhole = file.length === body + count * (DIGEST_BYTES + 4) + total * 5;
    if (file.readUInt32LE(0) !== MAGIC || !isWhole || sha256(file.subarray(body)) !== checksum) return words;
    // Views of numbers have to start at a multiple of their size.
    const bytes = file.byteOffset % 4 === 0 ? file : Buffer.from(Uint8Array.from(file).buffer);
    const lengthsAt = body + count * DIGEST_BYTES;
    const lengths = new Uint32Array(bytes.buffer, bytes.byteOffset + lengthsAt, count);
    const hashes = new Int32Array(bytes.buffer, bytes.byteOffset + lengthsAt + count * 4, total);
    const weights = new Uint8Array(bytes.buffer, bytes.byteOffset + lengthsAt + count * 4 + total * 4, total);
    let start = 0;
    for (let index = 0; index < count; index++) {
      const end = start + (lengths[index] as number);
      const at = body + index * DIGEST_BYTES;
      const vector = { hashes: hashes.subarray(start, end), weights: weights.subarray(start, end) };
      words.set(bytes.toString('hex', at, at + DIGEST_BYTES), vector);
      start = end;
    }
  } catch {
    // Missing, unreadable or damaged: the words are read again.
    words.clear();
  }
  return words;
}

/** Remembers the words of the skills of a root. What cannot be written is not remembered. Never throws. */
export function writeWords(directory: string, root: string, words: ReadonlyMap<string, SkillWords>): void {
  const vectors = [...words.values()];
  const total = vectors.reduce((sum, { hashes }) => sum + hashes.length, 0);
  const hashesAt = words.size * (DIGEST_BYTES + 4);
  const body = Buffer.alloc(hashesAt + total * 5);
  body.write([...words.keys()].join(''), 0, 'hex');
  let start = 0;
  vectors.forEach(({ hashes, weights }, index) => {
    body.writeUInt32LE(hashes.length, words.size * DIGEST_BYTES + index * 4);
    body.set(new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength), hashesAt + start * 4);
    body.set(weights, hashesAt + total * 4 + start);
    start += hashes.length;
  });
  const header = Buffer.alloc(HEADER_BYTES);
  [MAGIC, words.size, total].forEach((value, index) => {
    header.writeUInt32LE(value, index * 4);
  });
  writeCacheFile(cachePath(directory, 'words', root), [header, Buffer.from(sha256(body), 'hex'), body]);
}
