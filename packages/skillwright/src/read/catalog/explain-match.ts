// Why a search ranks a skill where it does.

import { scorerOf } from './search-skills.ts';
import type { SkillCatalog, SkillRecord } from './skill-record.ts';
import type { WordEvidence } from './skill-scorer.ts';

/** Words of the query that speak for the skill, strongest first. */
export function explainMatch(
  catalog: SkillCatalog,
  query: string,
  { skill, opened }: { readonly skill: SkillRecord; readonly opened?: ReadonlySet<string> | undefined },
): WordEvidence[] {
  const place = catalog.skills.indexOf(skill);
  const words = place === -1 ? [] : (scorerOf(catalog, undefined, opened).explain?.(query, place) ?? []);
  return words.toSorted((a, b) => b.evidence - a.evidence);
}
