// Inclusion and consistency proofs, RFC 6962 sections 2.1.1 and 2.1.2.

import { hashRange, type LeafRange, type ReadHash, splitPoint } from './subtree.ts';

/** Hashes that prove that the leaf `index` is in the tree of `size` leaves; its neighbour first. */
export async function inclusionProof(
  { index, size }: { readonly index: number; readonly size: number },
  read: ReadHash,
): Promise<Uint8Array[]> {
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const cut = start + splitPoint(end - start);
    if (index < cut) {
      ranges.unshift({ start: cut, end });
      end = cut;
    } else {
      ranges.unshift({ start, end: cut });
      start = cut;
    }
  }
  return Promise.all(ranges.map((range) => hashRange(range, read)));
}

/** Hashes that prove that the first `oldSize` leaves of the tree of `size` leaves are the tree of that size. */
export async function consistencyProof(
  { oldSize, size }: { readonly oldSize: number; readonly size: number },
  read: ReadHash,
): Promise<Uint8Array[]> {
  if (oldSize === 0 || oldSize === size) return [];
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end !== oldSize) {
    const cut = start + splitPoint(end - start);
    if (oldSize <= cut) {
      ranges.unshift({ start: cut, end });
      end = cut;
    } else {
      ranges.unshift({ start, end: cut });
      start = cut;
    }
  }
  // The verifier has the old root. Where that is not a node of the new tree, it needs the node the descent ended at.
  if (start > 0) ranges.unshift({ start, end });
  return Promise.all(ranges.map((range) => hashRange(range, read)));
}
