// Matches skills while a query is being typed: search needs whole words, but people have often typed only half of one.

import { foldText } from '../../base/markdown/index.ts';
import { searchFactsOf } from './search-facts.ts';
import { MAX_SEARCH_LIMIT, searchSkills } from './search-skills.ts';
import type { SkillCatalog, SkillRecord, SkillScope } from './skill-record.ts';

/**
 * The skills of a scope that match a query, best first: names that start with it, names that contain all its words,
 * search results, descriptions that contain all its words. Without a query, all skills in catalog order.
 */
export function matchSkills(
  catalog: SkillCatalog,
  query: string,
  { scope, sealed }: { readonly scope?: SkillScope | undefined; readonly sealed?: ReadonlySet<string> } = {},
): readonly SkillRecord[] {
  const inScope = (skill: SkillRecord) => scope === undefined || skill.scope === scope;
  const words = foldText(query).split(' ').filter(Boolean);
  if (words.length === 0) return catalog.skills.filter(inScope);
  const hits = searchSkills(catalog, query, {
    limit: MAX_SEARCH_LIMIT,
    ...(scope === undefined ? {} : { scope }),
    ...(sealed === undefined ? {} : { sealed }),
  });
  const named: SkillRecord[] = [];
  const described: SkillRecord[] = [];
  const { names, descriptions } = searchFactsOf(catalog);
  catalog.skills.forEach((skill, place) => {
    const [name, description] = [names[place]!, descriptions[place]!];
    if (!inScope(skill)) return;
    if (words.every((word) => name.includes(word))) named.push(skill);
    else if (words.every((word) => name.includes(word) || description.includes(word))) described.push(skill);
  });
  const isNamed = ({ reason }: { reason: string }) => reason !== 'token_overlap';
  return [
    ...new Set([
      ...hits.filter(isNamed).map(({ skill }) => skill),
      ...named,
      ...hits.map(({ skill }) => skill),
      ...described,
    ]),
  ];
}
