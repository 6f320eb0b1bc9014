// A search as every front end answers it.

import { rankSkills, readLimit, type SkillSearchOptions, type SkillSearchResult } from './search-skills.ts';
import type { SkillCatalog } from './skill-record.ts';

/** What a search found. */
export interface SkillSearchAnswer {
  /** Best first. */
  readonly results: readonly SkillSearchResult[];
  /** How many results there are here. */
  readonly count: number;
  /** More skills match: raise the limit, or use more precise words. */
  readonly truncated: boolean;
  /** A bound cut discovery short: skills that were not read cannot be found. */
  readonly incomplete: boolean;
}

/** Searches a catalog, and says whether there is more. */
export function answerSearch(
  catalog: SkillCatalog,
  query: string,
  options: SkillSearchOptions = {},
): SkillSearchAnswer {
  const limit = readLimit(options.limit);
  // One more than wanted tells whether there are more.
  const found = rankSkills(catalog, query, { ...options, limit: limit + 1 });
  const results = found.slice(0, limit);
  return {
    results,
    count: results.length,
    truncated: found.length > limit,
    incomplete: catalog.truncated,
  };
}
