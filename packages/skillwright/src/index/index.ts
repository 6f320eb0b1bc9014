// The search index of one skill.

export type { Tokenizer } from './analyze-text.ts';
export { type BuildOptions, type BuildResult, buildIndex } from './build-index.ts';
export { createIndexCache, type IndexCache } from './index-cache.ts';
export { indexFileName, indexHash, indexPath } from './index-path.ts';
export {
  type HeadingFilter,
  type IndexedHeading,
  type OpenOptions,
  openIndex,
  type SkillIndex,
} from './open-index.ts';
export type { SearchAnswer, SearchResult } from './search-sections.ts';
export { type IndexedFile, MAX_INDEXED_BYTES } from './skill-files.ts';
