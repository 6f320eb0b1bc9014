// The port behind which skills are judged. The one that is there counts words; a model of meaning can join it.

import type { SkillCatalog } from './skill-record.ts';

/** Judges how well the skills of one catalog answer queries. */
export interface SkillScorer {
  /** A number for each skill, in the order of the catalog: 0 for nothing in common, up to 1 for a perfect answer. */
  score(query: string): Float32Array;
  /** Whether a word of the query that tells anything is in a skill as it is; a scorer that does not say knows all words. */
  knows?(query: string): boolean;
}

/** Makes a scorer for a catalog. Of skills with a gate only those in `opened`, by directory, are judged by their text. */
export type CreateScorer = (catalog: SkillCatalog, opened?: ReadonlySet<string>) => SkillScorer;
