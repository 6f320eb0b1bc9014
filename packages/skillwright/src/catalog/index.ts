// skillwright/catalog: the skills visible from a directory, search across them, and which of them are switched off.

export type { CatalogOptions, ExtraRoot } from './catalog-options.ts';
export type { CatalogChanges } from './compare-catalogs.ts';
export { type CatalogKeeper, createCatalogKeeper } from './keep-catalogs.ts';
export { createLexicalScorer } from './lexical-scorer.ts';
export { loadCatalog } from './load-catalog.ts';
export { createHitLocator, type HitPlace } from './locate-hit.ts';
export { compareScopes } from './order-skills.ts';
export { readCatalogOptions } from './read-catalog-options.ts';
export {
  DEFAULT_SEARCH_LIMIT,
  MAX_SEARCH_LIMIT,
  type SearchReason,
  type SkillSearchOptions,
  type SkillSearchResult,
  searchSkills,
} from './search-skills.ts';
export type {
  CatalogError,
  ProjectRoot,
  RootReport,
  SkillCatalog,
  SkillRecord,
  SkillScope,
  SkippedPlace,
} from './skill-record.ts';
export type { CreateScorer, SkillScorer } from './skill-scorer.ts';
export {
  disabledNames,
  readSkillState,
  type SkillState,
  type StateContext,
  type SwitchedSkills,
  setSkillEnabled,
} from './skill-state.ts';
export { type CatalogWatch, type WatchOptions, watchCatalog } from './watch-catalog.ts';
