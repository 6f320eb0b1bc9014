// Port for scoring skills. The built-in scorer counts words; a semantic model can be added.

import { scorerOf } from './search-skills.ts';
import type { SkillCatalog, SkillRecord } from './skill-record.ts';

/** Scores how well the skills of one catalog answer queries. */
export interface SkillScorer {
  /** A score for each skill, in catalog order: 0 for no match, up to 1 for a perfect match. */
  score(query: string): Float32Array;
  /** Whether a skill contains a significant word of the query unchanged; without this method, all words count as known. */
  knows?(query: string): boolean;
  /** Words of the query that speak for a skill, by its place in the catalog, and how much each does. */
  explain?(query: string, skill: number): readonly WordEvidence[];
}

/** One word of a query, and its part in a skill's score. */
interface WordEvidence {
  /** As the query spells it. */
  readonly word: string;
  readonly evidence: number;
  /** Its part of all evidence the query could give, from 0 to 1. */
  readonly share: number;
}

/** Creates a scorer for a catalog. Does not read the text of the skills in the directories `sealed`. */
export type CreateScorer = (catalog: SkillCatalog, sealed: ReadonlySet<string>) => SkillScorer;

/** Words of the query that speak for the skill, strongest first. */
export function explainMatch(
  catalog: SkillCatalog,
  query: string,
  { skill, sealed }: { readonly skill: SkillRecord; readonly sealed?: ReadonlySet<string> | undefined },
): WordEvidence[] {
  const place = catalog.skills.indexOf(skill);
  const words = place === -1 ? [] : (scorerOf(catalog, undefined, sealed).explain?.(query, place) ?? []);
  return words.toSorted((a, b) => b.evidence - a.evidence);
}
