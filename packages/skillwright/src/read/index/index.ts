// The search index of one skill.

export { adoptIndex } from './adopt-index.ts';
export { type Analysis, analyzeRun, stopWords, type Tokenizer, type Word } from './analyze-text.ts';
export { type BuildOptions, type BuildResult, buildIndex, buildIndexBytes } from './build-index.ts';
export { type FileRow, isOwnIndex, openIndexFile, readIndexedFiles } from './database.ts';
export { createIndexCache, type IndexCache } from './index-cache.ts';
export { indexFileName, indexHash, indexPath } from './index-path.ts';
export {
  type HeadingFilter,
  type IndexedHeading,
  type OpenOptions,
  openIndex,
  type SkillIndex,
} from './open-index.ts';
export { createScanner, type RunScanner } from './scan-runs.ts';
export { hasSections, type SearchAnswer, type SearchResult } from './section.ts';
export {
  describeLeftOut,
  type IndexedFile,
  isSameStat,
  listSourceFiles,
  readSkillFile,
  statSkillFile,
} from './source-files.ts';
