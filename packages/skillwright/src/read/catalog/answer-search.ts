// Skill search, shared by every front end.

import { correctQuery } from './correct-query.ts';
import {
  rankSkills,
  type SearchLimits,
  type SkillSearchOptions,
  type SkillSearchResult,
  scorerOf,
  settleLimit,
} from './search-skills.ts';
import type { SkillCatalog, SkillRecord } from './skill-record.ts';

/** Search result. */
export interface SkillSearchAnswer {
  /** Best first. */
  readonly results: readonly SkillSearchResult[];
  /** Number of results returned. */
  readonly count: number;
  /** More skills match: raise the limit, or add a word. */
  readonly truncated: boolean;
  /** A limit cut discovery short: skills that were not read cannot be found. */
  readonly incomplete: boolean;
  /** The corrected query, used because no skill has the original words. */
  readonly corrected?: string;
}

/** Searches a catalog and reports whether there are more results. Corrects typos when the original words match nothing. */
export function answerSearch(
  catalog: SkillCatalog,
  query: string,
  options: SkillSearchOptions & { readonly limits?: SearchLimits } = {},
): SkillSearchAnswer {
  const { limits, ...how } = options;
  const limit = settleLimit(options.limit, limits);
  // One more than needed shows whether there are more.
  const search = (words: string) => rankSkills(catalog, words, { ...how, limit: limit + 1 });
  const literal = search(query);
  const instead = isAnswer(literal, () => scorerOf(catalog, how.createScorer, how.sealed).knows?.(query))
    ? undefined
    : findInstead(catalog, query, { ...how, search });
  const found = instead?.found ?? literal;
  const results = found.slice(0, limit);
  return {
    results,
    count: results.length,
    truncated: found.length > limit,
    incomplete: catalog.truncated,
    ...(instead === undefined ? {} : { corrected: instead.corrected }),
  };
}

/** Whether skills matched a whole word of the query, not just a prefix. */
function isAnswer(found: readonly SkillSearchResult[], knows: () => boolean | undefined): boolean {
  if (found.length === 0) return false;
  return found.some(({ reason }) => reason !== 'token_overlap') || knows() !== false;
}

function findInstead(
  catalog: SkillCatalog,
  query: string,
  { scope, accept, search }: SkillSearchOptions & { search: (words: string) => SkillSearchResult[] },
): { corrected: string; found: SkillSearchResult[] } | undefined {
  const mayFind = (skill: SkillRecord) =>
    (scope === undefined || skill.scope === scope) && accept?.(skill) !== false;
  const corrected = correctQuery(catalog, query, mayFind);
  if (corrected === undefined) return undefined;
  const found = search(corrected);
  return found.length === 0 ? undefined : { corrected, found };
}
