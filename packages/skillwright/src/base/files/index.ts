// Safe access to the disk.

export { anyName, compareBytes, namesIn } from './compare-paths.ts';
export { compileGlob } from './compile-glob.ts';
export {
  findLink,
  isInside,
  isSpelledAsListed,
  joinInside,
  locateFile,
  readFileInside,
  readInside,
  readTextInside,
  refuseLinks,
  resolveInside,
} from './contained-path.ts';
export { hasExecuteBit, noteExecuteBit } from './execute-bit.ts';
export { copyText, freeGarbage } from './free-memory.ts';
export { createSha256, type HashedFile, hashFileInside, hashTree, sha256 } from './hash.ts';
export {
  canonicalPath,
  decodePercent,
  displayPath,
  exactStatusAt,
  exactTargetAt,
  isDirectory,
  isPathLike,
  isThere,
  lookOf,
  readRealPath,
  realPath,
  realPathAhead,
  statusAt,
  statusesAt,
  targetAt,
  typedPath,
  withSlashes,
} from './paths.ts';
export { abandonedDirectories, makePrivateDirectory, type PrivateDirectory } from './private-directory.ts';
export {
  decodeText,
  formatBytes,
  MAX_HEADINGS,
  MAX_SEARCHED_BYTES,
  MAX_TEXT_BYTES,
  readRegularFile,
  splitLines,
  tooLarge,
} from './read-text.ts';
export {
  backupName,
  type Change,
  changeTogether,
  movePath,
  type Replacement,
  replacePath,
  restorePath,
} from './replace-path.ts';
export {
  isOpenElsewhere,
  removeIfEmpty,
  removePath,
  renamePath,
  retry,
  retrySync,
  sleepSync,
  untilSettled,
  whenSettled,
} from './retry.ts';
export { setAside } from './set-aside.ts';
export {
  askProgram,
  desktopEnvironment,
  type Environment,
  findProgram,
  isPathGiven,
  joinWords,
  killGroup,
  startChild,
  variableIn,
} from './start-child.ts';
export { describeSystemError, isMissing, readError, systemErrorCode, writeError } from './system-error.ts';
export {
  isEvalFile,
  isEvalName,
  isIgnoredName,
  listFiles,
  resolvePart,
  skillLimits,
  type Tree,
  type TreeEntry,
  walkTree,
} from './walk-tree.ts';
export {
  discardTemporary,
  makeDirectory,
  removeLeftovers,
  renameInto,
  syncFile,
  syncFiles,
  temporaryBeside,
  writeFileAtomic,
  writeNewFile,
} from './write-atomic.ts';
