// Safe access to the disk.

export { compareBytes, sortByBytes } from './compare-paths.ts';
export { compileGlob } from './compile-glob.ts';
export { isInside, joinInside, locateFile, readInside, resolveInside } from './contained-path.ts';
export { desktopEnvironment, type Environment, findProgram, isPathGiven } from './find-program.ts';
export { copyText, freeGarbage } from './free-memory.ts';
export { createSha256, type HashedFile, hashTree, sha256 } from './hash.ts';
export { hashFileInside } from './hash-file.ts';
export { anyName, namesIn } from './names-in.ts';
export {
  canonicalPath,
  decodePercent,
  displayPath,
  hasExecuteBit,
  isDirectory,
  isThere,
  lookOf,
  realPath,
  realPathAhead,
  statusAt,
} from './paths.ts';
export { formatBytes, readRegularFile, tooLarge } from './read-regular-file.ts';
export {
  decodeText,
  MAX_SEARCHED_BYTES,
  MAX_TEXT_BYTES,
  readTextInside,
  splitLines,
} from './read-text.ts';
export { findLink, refuseLinks } from './refuse-links.ts';
export { isReservedName } from './reserved-name.ts';
export { retry, retrySync, sleepSync } from './retry.ts';
export { setAside } from './set-aside.ts';
export { isEvalFile, isIgnoredName, resolvePart } from './skill-part.ts';
export { askProgram, joinWords, startChild } from './start-child.ts';
export { describeSystemError, isMissing, readError, systemErrorCode, writeError } from './system-error.ts';
export {
  listFiles,
  skillLimits,
  type Tree,
  type TreeEntry,
  walkTree,
} from './walk-tree.ts';
export {
  discardTemporary,
  makeDirectory,
  syncFile,
  syncFiles,
  temporaryBeside,
  writeFileAtomic,
  writeNewFile,
} from './write-atomic.ts';
