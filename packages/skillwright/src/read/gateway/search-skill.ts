// Sections of a skill by what they say, as far as they may be read.

import type { SearchAnswer } from '../index/index.ts';
import type { OpenedSkill } from './open-gateway.ts';

/** The best sections for a query; E004 when it is blank. E062 when a quiz is before everything that could be found. */
export function searchSkill(
  { skill, index, gate }: OpenedSkill,
  query: string,
  { limit }: { readonly limit: number },
): SearchAnswer {
  const answer = index.search(query, { limit, accept: gate?.allowsSection });
  if (gate !== undefined && answer.results.length === 0) throw gate.refusal(skill);
  return answer;
}
