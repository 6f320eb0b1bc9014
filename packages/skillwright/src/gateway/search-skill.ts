// Sections of a skill by what they say, as far as they may be read.

import type { SearchAnswer } from '../index/search-sections.ts';
import type { OpenedSkill } from './open-gateway.ts';

/** Behind a gate most of what is found may not be told; so many are looked at for some that may. */
const GATED_LIMIT = 400;

/** The best sections for a query; E004 when it is blank. E062 when a quiz is before everything that could be found. */
export function searchSkill(
  { skill, index, gate }: OpenedSkill,
  query: string,
  { limit }: { readonly limit: number },
): SearchAnswer {
  if (gate === undefined) return index.search(query, { limit });
  const { results, ...rest } = index.search(query, { limit: GATED_LIMIT });
  const told = results.filter((result) => gate.allowsSection(result));
  if (told.length === 0) throw gate.refusal(skill);
  return { ...rest, results: told.slice(0, limit) };
}
