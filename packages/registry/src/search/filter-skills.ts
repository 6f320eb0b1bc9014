// Conditions of a search on the table `skills` (alias `s`).

import type { SearchQuery } from 'skillwright/registry-protocol';

/** SQL conditions for the filters of a query; empty without filters. Appends their parameters. */
export function filterSkills(
  { owner, tag, category, level }: Pick<SearchQuery, 'owner' | 'tag' | 'category' | 'level'>,
  parameters: unknown[],
): string {
  const conditions: string[] = [];
  const add = (value: unknown, condition: (parameter: string) => string) => {
    if (value === undefined) return;
    parameters.push(value);
    conditions.push(` and ${condition(`$${parameters.length}`)}`);
  };
  add(owner, (name) => `s.owner_id = (select id from owners where name = ${name}::text)`);
  add(tag, (name) => `s.tags @> array[${name}::text]`);
  add(category, (name) => `s.category = ${name}::text`);
  add(level, (name) => `s.level = ${name}::text`);
  return conditions.join('');
}
