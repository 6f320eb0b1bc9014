// Formats of a transparency log: Merkle tree (RFC 6962), tiles, signed notes, checkpoints, cosignatures and proofs (C2SP).
// Nothing here reads files or the network; readers are passed in.

export { type Advance, checkAdvance } from './check-advance.ts';
export { checkProof, type ProvedEntry } from './check-proof.ts';
export { checkSuccessor, type Succession } from './check-successor.ts';
export {
  type Checkpoint,
  generationOf,
  logPathOf,
  type OpenedCheckpoint,
  openCheckpoint,
  originOf,
  parseCheckpoint,
  spellCheckpoint,
} from './checkpoint.ts';
export { decodeEntries, encodeEntries, MAX_ENTRY_BYTES } from './entry-bundle.ts';
export { EMPTY_ROOT, HASH_BYTES, hashLeaf, hashNode, isSameHash } from './hash-node.ts';
export {
  type LeafOpening,
  leafOf,
  parseLeaf,
  parseOpening,
  SALT_BYTES,
  spellEntry,
  spellOpening,
} from './leaf.ts';
export {
  type GeneratedKey,
  generateLogKey,
  type KeyKind,
  type LogKey,
  type LogSigner,
  parseSigner,
  parseVerifierKey,
  spellVerifierKey,
} from './log-key.ts';
export { type LogProof, parseProof, spellProof } from './log-proof.ts';
export { consistencyProof, inclusionProof } from './make-proof.ts';
export { type FetchTile, readTiles } from './read-tiles.ts';
export {
  cosign,
  cosignatureLine,
  type OpenedNote,
  openNote,
  signNote,
  type VerifiedSignature,
} from './signed-note.ts';
export { appendLeaf, type ReadHash, rootOf, type SubtreeHash } from './subtree.ts';
export { parseTilePath, TILE_HEIGHT, TILE_WIDTH, type Tile, tilePath, tileWidth } from './tile-path.ts';
export {
  type ConsistencyClaim,
  type InclusionClaim,
  verifyConsistency,
  verifyInclusion,
} from './verify-proof.ts';
