// Formats of a transparency log: Merkle tree (RFC 6962), tiles, signed notes, checkpoints, cosignatures and proofs (C2SP).
// Nothing here reads files or the network; readers are passed in.

export { checkAdvance, checkSuccessor } from './check-advance.ts';
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
export {
  type LeafOpening,
  leafOf,
  parseLeaf,
  parseOpening,
  proveSubject,
  readLeaf,
  SALT_BYTES,
  spellEntry,
  spellOpening,
  subjectsOf,
} from './leaf.ts';
export {
  generateLogKey,
  type LogKey,
  type LogSigner,
  parseSigner,
  parseVerifierKey,
  spellVerifierKey,
} from './log-key.ts';
export {
  checkProof,
  consistencyProof,
  inclusionProof,
  type ProvedEntry,
  parseProof,
  spellProof,
} from './log-proof.ts';
export { canonicalJson } from './log-text.ts';
export {
  cosign,
  cosignatureLine,
  openNote,
  signNote,
  type VerifiedSignature,
} from './signed-note.ts';
export {
  appendLeaf,
  EMPTY_ROOT,
  HASH_BYTES,
  hashLeaf,
  hashNode,
  isSameHash,
  type ReadHash,
  rootOf,
  type SubtreeHash,
} from './subtree.ts';
export {
  decodeEntries,
  encodeEntries,
  type FetchTile,
  MAX_ENTRY_BYTES,
  parseTilePath,
  readTiles,
  TILE_HEIGHT,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tileWidth,
} from './tile-path.ts';
export {
  verifyConsistency,
  verifyInclusion,
} from './verify-proof.ts';
export { type LogWatch, type RepeatedEntry, watchLog } from './watch-log.ts';
