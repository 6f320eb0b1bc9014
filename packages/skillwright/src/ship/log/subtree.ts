// Complete subtrees: 2^level leaves whose first has the index `index * 2^level`. Every other hash follows from theirs.
// Sizes go beyond 32 bits, so this uses arithmetic instead of bit operations.

import { createHash } from 'node:crypto';

/** Bytes of a hash. */
export const HASH_BYTES = 32;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Root of the tree without leaves. */
export const EMPTY_ROOT: Uint8Array = new Uint8Array(createHash('sha256').digest());

/** Hash of a leaf with this content. */
export function hashLeaf(data: Uint8Array): Uint8Array {
  return createHash('sha256').update(LEAF).update(data).digest();
}

/** Hash of the node above two others. */
export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

/** Whether two hashes are the same, and are hashes at all. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return isHash(one) && isHash(other) && Buffer.compare(one, other) === 0;
}

export function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_BYTES;
}

/** Whether a number can be the size of a tree or the index of a leaf. */
export function isTreeNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Reads the hash of a complete subtree. */
export type ReadHash = (level: number, index: number) => Promise<Uint8Array>;

/** A complete subtree and its hash. */
export interface SubtreeHash {
  readonly level: number;
  readonly index: number;
  readonly hash: Uint8Array;
}

/** A range of leaves, `start` to before `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The largest power of two below `size`, which is above 1: RFC 6962 cuts a tree there. */
export function splitPoint(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The complete subtrees of a range, left to right. Its start is a multiple of the first one's leaves. */
function subtreesOf({ start, end }: LeafRange): { level: number; index: number }[] {
  const found: { level: number; index: number }[] = [];
  for (let from = start; from < end; ) {
    let level = 0;
    let leaves = 1;
    while (from + leaves * 2 <= end && from % (leaves * 2) === 0) {
      level += 1;
      leaves *= 2;
    }
    found.push({ level, index: from / leaves });
    from += leaves;
  }
  return found;
}

/** Hash of the tree over a range of leaves that starts where RFC 6962 would cut. */
export async function hashRange(range: LeafRange, read: ReadHash): Promise<Uint8Array> {
  const hashes = await Promise.all(subtreesOf(range).map(({ level, index }) => read(level, index)));
  return hashes.reduceRight((right, left) => hashNode(left, right));
}

/** Root of the first `size` leaves. */
export async function rootOf(size: number, read: ReadHash): Promise<Uint8Array> {
  return size === 0 ? EMPTY_ROOT : hashRange({ start: 0, end: size }, read);
}

/**
 * The complete subtrees that a new leaf finishes, its own hash first. `size` is the number of leaves before it. Reads only
 * subtrees that are complete already.
 */
export async function appendLeaf(size: number, leaf: Uint8Array, read: ReadHash): Promise<SubtreeHash[]> {
  const finished: { level: number; index: number }[] = [];
  for (let level = 1, index = size; index % 2 === 1; level += 1) {
    index = (index - 1) / 2;
    finished.push({ level, index });
  }
  const lefts = await Promise.all(finished.map(({ level, index }) => read(level - 1, index * 2)));
  let hash = leaf;
  return [
    { level: 0, index: size, hash },
    ...finished.map((subtree, at) => {
      hash = hashNode(lefts[at]!, hash);
      return { ...subtree, hash };
    }),
  ];
}
