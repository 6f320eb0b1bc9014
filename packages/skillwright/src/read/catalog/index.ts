// The skills visible from a directory, and search across them.

export { answerSearch, type SkillSearchAnswer } from './answer-search.ts';
export {
  type CatalogFormat,
  catalogRenderers,
  renderAvailableSkills,
  renderJsonCatalog,
  renderMarkdownCatalog,
  renderSkillsContext,
} from './catalog-renderers.ts';
export type { CatalogChanges } from './compare-catalogs.ts';
export { escapeXml, neutralise, oneLine, visibleJson } from './escape-text.ts';
export {
  type CatalogBudget,
  type CatalogRenderer,
  type CatalogView,
  defaultBudget,
  type FitOptions,
  type FittedCatalog,
  fitCatalog,
  SEARCH_HINT,
} from './fit-catalog.ts';
export { createCatalogKeeper } from './keep-catalogs.ts';
export { createLexicalScorer } from './lexical-scorer.ts';
export { type Discovery, searchLimits } from './list-skill-roots.ts';
export { loadCatalog } from './load-catalog.ts';
export { createHitLocator } from './locate-hit.ts';
export { availabilityIn } from './make-record.ts';
export { matchSkills } from './match-skills.ts';
export { compareScopes } from './order-skills.ts';
export { nothing } from './root-cache.ts';
export { createWordScorer, type Postings, type Words } from './score-words.ts';
export { type FoundEntry, type RootSearch, searchRoot } from './search-root.ts';
export {
  DEFAULT_SEARCH_LIMIT,
  MAX_SEARCH_LIMIT,
  type SkillSearchOptions,
  type SkillSearchResult,
  searchSkills,
} from './search-skills.ts';
export { entryOfSkill, type SkillEntry } from './skill-entry.ts';
export type {
  CatalogError,
  ProjectRoot,
  RootReport,
  SkillCatalog,
  SkillRecord,
  SkillScope,
  SkippedPlace,
} from './skill-record.ts';
export { type CreateScorer, explainMatch, type SkillScorer } from './skill-scorer.ts';
export { createWordWeigher, WORDS_VERSION } from './skill-words.ts';
export { readStub } from './stub-source.ts';
export { type CatalogWatch, type WatchOptions, watchCatalog } from './watch-catalog.ts';
