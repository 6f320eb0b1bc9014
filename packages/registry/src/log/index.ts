// The transparency log.

export { acceptCosignature } from './accept-cosignature.ts';
export { appendLeaves, type NewLeaf } from './append-leaf.ts';
export { highWaterFile, readHighWater } from './high-water.ts';
export { type LogOrigin, logSigner, openOrigin } from './log-origin.ts';
export { currentCheckpoint, logVerifier, openLog, startNewOrigin } from './open-log.ts';
export { lastCheckpoint, witnessedCheckpoint } from './sign-checkpoint.ts';
export { readStoredHashes, readTile } from './stored-hashes.ts';
export { runWitness } from './witness/run-witness.ts';
