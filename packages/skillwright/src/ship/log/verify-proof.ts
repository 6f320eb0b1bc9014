// Checks of proofs, RFC 9162 sections 2.1.3.2 and 2.1.4.2. They return false for anything hostile and never throw.

import { EMPTY_ROOT, hashNode, isHash, isSameHash, isTreeNumber } from './subtree.ts';

/** A leaf said to be in a tree. */
interface InclusionClaim {
  /** Hash of the leaf. */
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/** A tree said to be the beginning of another. */
interface ConsistencyClaim {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

const isOdd = (value: number) => value % 2 === 1;
const half = (value: number) => Math.floor(value / 2);

/** Whether the leaf is in the tree with this root. */
export function verifyInclusion({ leaf, index, size, proof, root }: InclusionClaim): boolean {
  if (!isTreeNumber(index) || !isTreeNumber(size) || index >= size) return false;
  if (!isHash(leaf) || !proof.every(isHash)) return false;
  let node = index;
  let last = size - 1;
  let hash = leaf;
  for (const step of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = hashNode(step, hash);
      while (!isOdd(node) && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      hash = hashNode(hash, step);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && isSameHash(hash, root);
}

/** Whether the tree of `size` leaves begins with the tree of `oldSize` leaves. */
export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const roots = rootsOfConsistency(claim);
  return roots !== undefined && isSameHash(roots.old, claim.oldRoot) && isSameHash(roots.new, claim.root);
}

/**
 * The two roots that a consistency proof leads to. If the new one is that of a signed checkpoint, the old one is the true root
 * of that size. Undefined when the proof does not have the right form.
 */
export function rootsOfConsistency({
  oldSize,
  oldRoot,
  size,
  root,
  proof,
}: ConsistencyClaim): { readonly old: Uint8Array; readonly new: Uint8Array } | undefined {
  if (!isTreeNumber(oldSize) || !isTreeNumber(size) || oldSize > size) return undefined;
  if (!isHash(oldRoot) || !isHash(root) || !proof.every(isHash)) return undefined;
  if (oldSize === 0 || oldSize === size) {
    if (proof.length > 0) return undefined;
    return { old: oldSize === 0 ? EMPTY_ROOT : root, new: size === 0 ? EMPTY_ROOT : root };
  }
  let node = oldSize - 1;
  let last = size - 1;
  while (isOdd(node)) {
    node = half(node);
    last = half(last);
  }
  // An old tree of 2^n leaves is a node of the new tree, and the proof leaves it out.
  const [first, ...steps] = node === 0 ? [oldRoot, ...proof] : proof;
  if (first === undefined) return undefined;
  let before = first;
  let after = first;
  for (const step of steps) {
    if (last === 0) return undefined;
    if (isOdd(node) || node === last) {
      before = hashNode(step, before);
      after = hashNode(step, after);
      while (!isOdd(node) && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      after = hashNode(after, step);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 ? { old: before, new: after } : undefined;
}
