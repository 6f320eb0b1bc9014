// Safe access to the disk.

export { compareBytes } from './compare-paths.ts';
export { isInside, joinInside, readInside, resolveInside } from './contained-path.ts';
export { displayPath } from './display-path.ts';
export { findProgram } from './find-program.ts';
export { createSha256, type HashedFile, hashTree, sha256 } from './hash.ts';
export { hashFileInside } from './hash-file.ts';
export { lockFile } from './lock-file.ts';
export { formatBytes, readRegularFile, tooLarge } from './read-regular-file.ts';
export { type DecodedText, decodeText, MAX_TEXT_BYTES, splitLines } from './read-text.ts';
export { realPath } from './real-path.ts';
export { describeSystemError, isMissing, readError, systemErrorCode, writeError } from './system-error.ts';
export {
  type EntryKind,
  isIgnoredName,
  skillLimits,
  type TreeEntry,
  type WalkLimits,
  type WalkOptions,
  walkTree,
} from './walk-tree.ts';
export { discardTemporary, temporaryBeside, writeFileAtomic } from './write-atomic.ts';
