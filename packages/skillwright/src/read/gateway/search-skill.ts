// Searches the readable sections of a skill.

import type { SearchAnswer, SearchResult } from '../index/index.ts';
import { nameSection, type SectionName } from './name-section.ts';
import type { IndexedSkill } from './open-gateway.ts';

/** A found section, and the arguments that show it: its name, or its lines when it has no name. */
export interface FoundSection extends SearchResult {
  readonly name: SectionName | undefined;
}

/** The best sections for a query; E004 when it is blank. E062 when a quiz locks everything that could match. */
export function searchSkill(
  opened: IndexedSkill,
  query: string,
  { limit, any }: { readonly limit: number; readonly any?: boolean | undefined },
): Omit<SearchAnswer, 'results'> & { readonly results: readonly FoundSection[] } {
  const { skill, index, reach } = opened;
  const answer = index.search(query, { limit, any, accept: reach.isWhole ? undefined : reach.allowsSection });
  if (reach.gate !== undefined && answer.results.length === 0) throw reach.gate.refusal(skill);
  const results = answer.results.map((result) => ({
    ...result,
    name: result.level === 0 ? undefined : nameSection(opened, result),
  }));
  return { ...answer, results };
}
