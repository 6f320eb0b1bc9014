// Search across the skills of a catalog.

import { compareBytes } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { createLexicalScorer } from './lexical-scorer.ts';
import { compareScopes } from './order-skills.ts';
import type { SkillCatalog, SkillRecord, SkillScope } from './skill-record.ts';
import type { CreateScorer, SkillScorer } from './skill-scorer.ts';

/** Why a skill was found. */
export type SearchReason = 'exact_path' | 'exact_name' | 'prefix' | 'token_overlap';

/** A skill that was found. Greater scores are better; the kinds of reasons do not overlap. */
export interface SkillSearchResult {
  readonly skill: SkillRecord;
  readonly score: number;
  readonly reason: SearchReason;
}

/** How to search. */
export interface SkillSearchOptions {
  /** Most results: as `limits` say, else 8 unless told and never more than 50. */
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | undefined;
  /** Skills that may be found. */
  readonly accept?: (skill: SkillRecord) => boolean;
  /** Directories of skills whose gate was passed; of others with a gate only name, description and tags are searched. */
  readonly opened?: ReadonlySet<string>;
  /** Another way to judge skills. */
  readonly createScorer?: CreateScorer;
}

export const DEFAULT_SEARCH_LIMIT = 8;
export const MAX_SEARCH_LIMIT = 50;

/** How many results a search gives. */
export interface SearchLimits {
  /** When it is not told. */
  readonly usual?: number | undefined;
  readonly most?: number | undefined;
}

/**
 * The skills that answer a query: by exact path, exact name, beginning of the name, then by what they say. Equal scores
 * are ordered by scope, then by path. An empty query finds nothing.
 */
export function searchSkills(
  catalog: SkillCatalog,
  query: string,
  options: SkillSearchOptions = {},
): SkillSearchResult[] {
  return rankSkills(catalog, query, { ...options, limit: readLimit(options.limit) });
}

/** The same with a limit that is taken as it is. */
export function rankSkills(
  catalog: SkillCatalog,
  query: string,
  options: SkillSearchOptions & { readonly limit: number },
): SkillSearchResult[] {
  const { limit, scope, accept, opened, createScorer } = options;
  const wanted = query.trim();
  if (wanted === '') return [];
  const judge = createJudge(wanted);
  const names = foldedNames(catalog);
  const scores = scorerOf(catalog, createScorer, opened).score(wanted);
  const results: SkillSearchResult[] = [];
  // Most skills are worse than the worst result so far, and are not looked at again.
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

/** A whole number from 1 to the maximum, whatever a host passes on. */
export function readLimit(
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

/** Recognises paths and names. Names with spaces instead of hyphens are the same names. */
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

const namesOf = new WeakMap<SkillCatalog, readonly string[]>();

/** The names of all skills, folded once. */
function foldedNames(catalog: SkillCatalog): readonly string[] {
  // Names are short and nearly always lower case already.
  const fold = ({ name }: SkillRecord) => (/^[a-z0-9-]*$/.test(name) ? name : foldText(name));
  const names = namesOf.get(catalog) ?? catalog.skills.map(fold);
  namesOf.set(catalog, names);
  return names;
}

const none: ReadonlySet<string> = new Set();

const scorers = new WeakMap<SkillCatalog, Map<CreateScorer, Map<string, SkillScorer>>>();

/** The scorer of a catalog, made when it is first searched. */
export function scorerOf(
  catalog: SkillCatalog,
  create: CreateScorer = createLexicalScorer,
  opened: ReadonlySet<string> = none,
): SkillScorer {
  const byKind = scorers.get(catalog) ?? new Map<CreateScorer, Map<string, SkillScorer>>();
  scorers.set(catalog, byKind);
  const known = byKind.get(create) ?? new Map<string, SkillScorer>();
  byKind.set(create, known);
  const key = [...opened].sort().join('\0');
  const scorer = known.get(key) ?? create(catalog, opened);
  // Who has passed what differs from session to session: only the latest is kept beside the one for all others.
  if (key !== '') for (const other of known.keys()) if (other !== '' && other !== key) known.delete(other);
  known.set(key, scorer);
  return scorer;
}
