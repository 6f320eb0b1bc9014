// The search index of one skill.

export type { Tokenizer } from '../../base/words/index.ts';
export { adoptIndex } from './adopt-index.ts';
export { type BuildOptions, type BuildResult, buildIndex, buildIndexBytes } from './build-index.ts';
export {
  type FileRow,
  indexFileName,
  indexHash,
  indexPath,
  isOwnIndex,
  openIndexFile,
  readIndexedFiles,
} from './database.ts';
export { createIndexCache, type IndexCache } from './index-cache.ts';
export {
  type HeadingFilter,
  type IndexedHeading,
  type OpenOptions,
  openIndex,
  type SkillIndex,
} from './open-index.ts';
export { readSections } from './read-sections.ts';
export type { SectionSearch } from './search-sections.ts';
export { hasSections, type SearchAnswer, type SearchResult } from './section.ts';
export {
  describeLeftOut,
  type IndexedFile,
  isSameStat,
  listSourceFiles,
  readSkillFile,
  statSkillFile,
  unsearchedFiles,
} from './source-files.ts';
