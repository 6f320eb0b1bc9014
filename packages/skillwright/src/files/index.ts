// Safe access to the disk.

export { compareBytes } from './compare-paths.ts';
export { formatBytes, isInside, joinInside, readInside, resolveInside, tooLarge } from './contained-path.ts';
export { type HashedFile, hashTree, sha256 } from './hash.ts';
export { type DecodedText, decodeText, MAX_TEXT_BYTES, splitLines } from './read-text.ts';
export { describeSystemError, isMissing, readError, systemErrorCode, writeError } from './system-error.ts';
export {
  type EntryKind,
  isIgnoredName,
  skillLimits,
  type TreeEntry,
  type WalkLimits,
  walkTree,
} from './walk-tree.ts';
export { temporaryBeside, writeFileAtomic } from './write-atomic.ts';
