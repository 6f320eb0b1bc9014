// Hashes of a Merkle tree as RFC 6962 defines them: SHA-256, with a prefix that keeps leaves and nodes apart.

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
