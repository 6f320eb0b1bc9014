// Sections of a skill by what they say, as far as they may be read.

import type { SearchAnswer } from '../index/index.ts';
import type { IndexedSkill } from './open-gateway.ts';

/** The best sections for a query; E004 when it is blank. E062 when a quiz is before everything that could be found. */
export function searchSkill(
  { skill, index, reach }: IndexedSkill,
  query: string,
  { limit }: { readonly limit: number },
): SearchAnswer {
  const answer = index.search(query, { limit, accept: reach.isWhole ? undefined : reach.allowsSection });
  if (reach.gate !== undefined && answer.results.length === 0) throw reach.gate.refusal(skill);
  return answer;
}
