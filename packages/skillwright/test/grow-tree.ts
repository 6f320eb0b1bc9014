import { appendLeaf, hashLeaf, hashNode, type ReadHash } from '../src/ship/log/index.ts';

/** A tree in memory. */
export interface GrownTree {
  readonly size: number;
  readonly read: ReadHash;
  readonly leaves: readonly Uint8Array[];
}

/** A tree whose leaf i is `leaf(i)`. */
export async function growTree(
  size: number,
  leaf: (index: number) => string = (index) => `leaf ${index}`,
): Promise<GrownTree> {
  const hashes = new Map<string, Uint8Array>();
  const read: ReadHash = async (level, index) => {
    const hash = hashes.get(`${level}/${index}`);
    if (hash === undefined) throw new Error(`the tree has no hash ${level}/${index}`);
    return hash;
  };
  const leaves = Array.from({ length: size }, (_, index) => Buffer.from(leaf(index)));
  for (const [index, data] of leaves.entries()) {
    for (const added of await appendLeaf(index, hashLeaf(data), read)) {
      hashes.set(`${added.level}/${added.index}`, added.hash);
    }
  }
  return { size, read, leaves };
}

const sameHashes = [hashLeaf(Buffer.from('same'))];

/** Reads a tree of any size whose leaves all are the text `same`. */
export const readUniform: ReadHash = async (level) => {
  while (sameHashes.length <= level) sameHashes.push(hashNode(sameHashes.at(-1)!, sameHashes.at(-1)!));
  return sameHashes[level]!;
};
