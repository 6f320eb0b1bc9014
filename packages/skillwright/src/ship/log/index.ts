// Formats of a transparency log: Merkle tree, tiles, checkpoints, proofs.

export {};
