// Reads the best skills of terms, and skills by name, in one statement.

import type { SearchQuery } from 'skillwright/registry-protocol';
import type { Store } from '../store/index.ts';
import { emptyPosting, MAX_SKILLS_PER_TERM, type Posting } from './packed-store.ts';
import type { IdAndName } from './search-memory.ts';
import { countPostings, type Scopes } from './word-statistics.ts';

/** Skills found by name. */
const MAX_NAMED = 50;

/** Reads lists by the place of their term, and with `spelled` the names that begin with it. Counts the skills of long lists unless `isCounted`. */
export async function readPostings(
  { database }: Store,
  terms: readonly number[],
  {
    query,
    scopes,
    spelled,
    isCounted,
  }: {
    readonly query: SearchQuery;
    readonly scopes: Scopes;
    readonly spelled: string | undefined;
    readonly isCounted: (term: number) => boolean;
  },
) {
  const parameters: unknown[] = [terms, terms.map((term) => !isCounted(term))];
  const scope = scopes === undefined ? undefined : `$${parameters.push(scopes)}::bigint[]`;
  const inScope = (alias: string) => (scope === undefined ? '' : ` and ${alias}.scope = any(${scope})`);
  const filters = filterSkills(query, parameters);
  const filtered = (alias: string) =>
    filters === '' ? '' : ` and exists (select from skills s where s.id = ${alias}.skill_id${filters})`;
  const byName =
    spelled === undefined
      ? ''
      : ` union all select 0, string_agg(d.skill_id || ' ' || d.name, ','), null from (
           select d.skill_id, d.name from search_documents d
           where d.name like $${parameters.push(`${spelled}%`)}::text${inScope('d')}${filtered('d')}
           order by length(d.name), d.skill_id limit ${MAX_NAMED}) as d`;
  const rows = await database.query<{ place: number; found: string | null; count: number | null }>(
    `select q.place, b.found,
       case when q.is_wanted and b.size = ${MAX_SKILLS_PER_TERM} then ${countPostings('q.term', scope)} end as count
     from unnest($1::integer[], $2::boolean[]) with ordinality as q (term, is_wanted, place)
     cross join lateral (
       select string_agg((b.skill_id * 256 + b.weight)::text, ',') as found, count(*) as size from (
         select p.skill_id, p.weight from search_postings p
         where p.term = q.term${inScope('p')}${filtered('p')}
         order by p.weight desc, p.skill_id limit ${MAX_SKILLS_PER_TERM}) as b) as b${byName}`,
    parameters,
  );
  const lists: Posting[] = terms.map(() => emptyPosting);
  const frequencies = new Map<number, number>();
  let named: IdAndName[] = [];
  for (const { place, found, count } of rows) {
    if (place > 0 && count !== null) frequencies.set(terms[place - 1] as number, count);
    if (found === null) continue;
    if (place > 0) lists[place - 1] = readList(found);
    else
      named = found.split(',').map((entry) => {
        const [id = '', name = ''] = entry.split(' ');
        return [Number(id), name];
      });
  }
  return { lists, frequencies: frequencies as ReadonlyMap<number, number>, named };
}

const ZERO = 48;
const COMMA = 44;

/** Reads `<id × 256 + weight>,…`. Thousands of numbers a search: no text is made for each. */
function readList(text: string): Posting {
  const skills = new Uint32Array(MAX_SKILLS_PER_TERM);
  const weights = new Uint8Array(MAX_SKILLS_PER_TERM);
  let packed = 0;
  let size = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? COMMA : text.charCodeAt(at);
    if (code !== COMMA) packed = packed * 10 + code - ZERO;
    else {
      const weight = packed % 256;
      skills[size] = (packed - weight) / 256;
      weights[size] = weight;
      size += 1;
      packed = 0;
    }
  }
  return { skills: skills.subarray(0, size), weights: weights.subarray(0, size) };
}

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
