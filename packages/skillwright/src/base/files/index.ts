// Safe access to the disk.

export { canonicalPath } from './canonical-path.ts';
export { compareBytes, sortByBytes } from './compare-paths.ts';
export { compileGlob } from './compile-glob.ts';
export { isInside, joinInside, readInside, resolveInside } from './contained-path.ts';
export { decodePercent } from './decode-percent.ts';
export { desktopEnvironment } from './desktop-environment.ts';
export { displayPath } from './display-path.ts';
export { hasExecuteBit } from './execute-bit.ts';
export { type Environment, findProgram, isPathGiven } from './find-program.ts';
export { copyText, freeGarbage } from './free-memory.ts';
export { createSha256, type HashedFile, hashTree, sha256 } from './hash.ts';
export { hashFileInside } from './hash-file.ts';
export { isDirectory } from './is-directory.ts';
export { locateFile } from './locate-file.ts';
export { lookOf } from './look-of.ts';
export { anyName, namesIn } from './names-in.ts';
export { formatBytes, readRegularFile, tooLarge } from './read-regular-file.ts';
export { type DecodedText, decodeText, MAX_SEARCHED_BYTES, MAX_TEXT_BYTES, splitLines } from './read-text.ts';
export { readTextInside } from './read-text-inside.ts';
export { realPath } from './real-path.ts';
export { realPathAhead } from './real-path-ahead.ts';
export { findLink, refuseLinks } from './refuse-links.ts';
export { isReservedName } from './reserved-name.ts';
export { retry, retrySync, sleepSync } from './retry.ts';
export { setAside } from './set-aside.ts';
export { isEvalFile, isIgnoredName, resolvePart } from './skill-part.ts';
export { askProgram, joinWords, startChild } from './start-child.ts';
export { isThere, statusAt } from './status-at.ts';
export { syncFile, syncFiles } from './sync-files.ts';
export { describeSystemError, isMissing, readError, systemErrorCode, writeError } from './system-error.ts';
export {
  type EntryKind,
  listFiles,
  skillLimits,
  type Tree,
  type TreeEntry,
  type WalkLimits,
  type WalkOptions,
  walkTree,
} from './walk-tree.ts';
export { discardTemporary, temporaryBeside, writeFileAtomic } from './write-atomic.ts';
export { makeDirectory, writeNewFile } from './write-new.ts';
