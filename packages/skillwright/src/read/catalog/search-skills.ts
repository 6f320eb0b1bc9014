// Searches the skills of a catalog.

import { dirname } from 'node:path';
import { compareBytes } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { createLexicalScorer } from './lexical-scorer.ts';
import { compareScopes } from './order-skills.ts';
import { searchFactsOf } from './search-facts.ts';
import type { SkillCatalog, SkillRecord, SkillScope } from './skill-record.ts';
import type { CreateScorer, SkillScorer } from './skill-scorer.ts';

/** Why a skill was found. */
type SearchReason = 'exact_path' | 'exact_name' | 'prefix' | 'token_overlap';

/** A search hit. Higher scores are better; the kinds of reasons do not overlap. */
export interface SkillSearchResult {
  readonly skill: SkillRecord;
  readonly score: number;
  readonly reason: SearchReason;
}

/** Search options. */
export interface SkillSearchOptions {
  /** Most results: from `limits`, else 8 by default and at most 50. */
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | undefined;
  /** Skills the caller may find. */
  readonly accept?: (skill: SkillRecord) => boolean;
  /**
   * Directories of skills whose text the caller may not read: only their name, description and tags are searched. Default:
   * those behind a quiz. `Access.sealed` knows them.
   */
  readonly sealed?: ReadonlySet<string>;
  /** A custom scorer. */
  readonly createScorer?: CreateScorer;
}

export const DEFAULT_SEARCH_LIMIT = 8;
export const MAX_SEARCH_LIMIT = 50;

/** Number of search results. */
export interface SearchLimits {
  /** Default number. */
  readonly usual?: number | undefined;
  readonly most?: number | undefined;
}

/**
 * The skills that match a query: by exact path, exact name, prefix of the name, then by content. Equal scores are
 * ordered by scope, then by path. An empty query finds nothing.
 */
export function searchSkills(
  catalog: SkillCatalog,
  query: string,
  options: SkillSearchOptions = {},
): SkillSearchResult[] {
  return rankSkills(catalog, query, { ...options, limit: settleLimit(options.limit) });
}

/** Same with an exact limit. */
export function rankSkills(
  catalog: SkillCatalog,
  query: string,
  options: SkillSearchOptions & { readonly limit: number },
): SkillSearchResult[] {
  const { limit, scope, accept, sealed, createScorer } = options;
  const wanted = query.trim();
  if (wanted === '') return [];
  const judge = createJudge(wanted);
  const { names } = searchFactsOf(catalog);
  const scores = scorerOf(catalog, createScorer, sealed).score(wanted);
  const results: SkillSearchResult[] = [];
  // Skip skills that score below the worst result so far: that is most of them.
  let worst = 0;
  catalog.skills.forEach((skill, place) => {
    const judged = judge(skill, names[place]!);
    const score = judged?.score ?? (scores[place] as number);
    if (score <= 0 || score < worst) return;
    if ((scope !== undefined && skill.scope !== scope) || accept?.(skill) === false) return;
    results.push({ skill, score, reason: judged?.reason ?? 'token_overlap' });
    if (results.length >= limit * 4) {
      results.sort(compareResults).length = limit;
      worst = results.at(-1)?.score ?? 0;
    }
  });
  return results.sort(compareResults).slice(0, limit);
}

/** Clamps any host value to a whole number from 1 to the maximum. */
export function settleLimit(
  limit: number | undefined,
  { usual = DEFAULT_SEARCH_LIMIT, most = MAX_SEARCH_LIMIT }: SearchLimits = {},
): number {
  const whole = limit === undefined || Number.isNaN(limit) ? usual : Math.trunc(limit);
  return Math.min(Math.max(1, whole), most);
}

function compareResults(a: SkillSearchResult, b: SkillSearchResult): number {
  return (
    b.score - a.score ||
    compareScopes(a.skill.scope, b.skill.scope) ||
    compareBytes(a.skill.path, b.skill.path)
  );
}

/** Recognises paths and names. Spaces and hyphens in names are equivalent. */
function createJudge(
  query: string,
): (skill: SkillRecord, own: string) => { score: number; reason: SearchReason } | undefined {
  const folded = foldText(query);
  const hyphenated = folded.replaceAll(' ', '-');
  return ({ path, dir }, own) => {
    if (query === path || query === dir) return { score: 4, reason: 'exact_path' };
    if (own === folded || own === hyphenated) return { score: 3, reason: 'exact_name' };
    if (own.startsWith(folded) || own.startsWith(hyphenated))
      return { score: 2 + folded.length / own.length, reason: 'prefix' };
    return undefined;
  };
}

/** The scorer of a catalog, created on its first search. */
export function scorerOf(
  catalog: SkillCatalog,
  create: CreateScorer = createLexicalScorer,
  sealed: ReadonlySet<string> = behindQuiz(catalog.skills),
): SkillScorer {
  return searchFactsOf(catalog).scorer(create, sealed);
}

/** Directories of the skills that have a quiz gate, and of those inside them. */
export function behindQuiz(skills: readonly SkillRecord[]): ReadonlySet<string> {
  const gated = new Set(skills.filter((skill) => skill.gated).map(({ dir }) => dir));
  if (gated.size === 0) return gated;
  const around = (dir: string): boolean => gated.has(dir) || (dirname(dir) !== dir && around(dirname(dir)));
  return new Set(skills.filter(({ dir }) => around(dir)).map(({ dir }) => dir));
}
