// The transparency log.

export { acceptCosignature } from './accept-cosignature.ts';
export { appendLeaves, type NewLeaf } from './append-leaf.ts';
export { currentCheckpoint } from './current-checkpoint.ts';
export { highWaterFile, readHighWater } from './high-water.ts';
export { type LogOrigin, openOrigin } from './log-origin.ts';
export { logSigner } from './log-signer.ts';
export { logVerifier, openLog } from './open-log.ts';
export { readTile } from './read-tile.ts';
export { lastCheckpoint, witnessedCheckpoint } from './sign-checkpoint.ts';
export { startNewOrigin } from './start-new-origin.ts';
export { readStoredHashes } from './stored-hashes.ts';
export { runWitness } from './witness/run-witness.ts';
