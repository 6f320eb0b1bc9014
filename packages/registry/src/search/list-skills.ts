// Lists skills in the order of a column.

import type { SearchPage, SearchQuery } from 'skillwright/registry-protocol';
import { type Caller, visibleTo } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { type SkillRow, skillColumns, summaryOf } from '../catalog/index.ts';
import { databaseCode, type Store } from '../store/index.ts';
import type { RankedSkill } from './rank-skills.ts';
import { filterSkills } from './read-postings.ts';
import { readListedPlace, writeCursor } from './search-cursor.ts';

/** Results counted; more are "at least". */
export const MAX_COUNTED = 1000;

interface Order {
  readonly by: string;
  readonly type: string;
  readonly direction: 'asc' | 'desc';
}

const updated: Order = { by: 's.updated_at', type: 'timestamptz', direction: 'desc' };

const orders: Readonly<Record<SearchQuery['sort'], Order>> = {
  relevance: updated,
  updated,
  downloads: { by: 's.downloads', type: 'bigint', direction: 'desc' },
  // As if everybody's skill had three ratings of three stars: one enthusiast does not make it the best.
  rating: { by: '((s.rating_sum + 9.0::float8) / (s.rating_count + 3))', type: 'float8', direction: 'desc' },
  name: { by: 's.name', type: 'text', direction: 'asc' },
};

/** Skills with an index, filtered and ordered; with `among`, only these. */
export async function listSkills(
  { database }: Store,
  caller: Caller,
  { query, among }: { readonly query: SearchQuery; readonly among?: readonly RankedSkill[] },
): Promise<SearchPage> {
  const { by, type, direction } = orders[query.sort];
  const place = readListedPlace(query);
  const parameters: unknown[] = [];
  let where = `${visibleTo(caller, parameters)}${filterSkills(query, parameters)}
    and exists (select from search_documents d where d.skill_id = s.id)`;
  if (among !== undefined)
    where += ` and s.id = any($${parameters.push(among.map(({ id }) => id))}::bigint[])`;
  const counted = database.query<{ count: number }>(
    `select count(*) as count from (select from skills s where ${where} limit ${MAX_COUNTED + 1}) as found`,
    [...parameters],
  );
  if (place !== undefined) {
    const after = direction === 'asc' ? '>' : '<';
    where += ` and (${by}, s.id) ${after} ($${parameters.push(place.key)}::${type}, $${parameters.push(place.id)}::bigint)`;
  }
  const [[total], rows] = await Promise.all([
    counted,
    database
      .query<SkillRow & { key: string }>(
        `select ${skillColumns}, (${by})::text as key from skills s join owners o on o.id = s.owner_id
         where ${where} order by ${by} ${direction}, s.id ${direction} limit ${query.limit + 1}`,
        parameters,
      )
      .catch(refuseKey),
  ]);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const reasons = new Map(among?.map(({ id, score, reason }) => [id, { score, reason }]));
  return {
    total: Math.min(total!.count, MAX_COUNTED),
    isTotalExact: total!.count <= MAX_COUNTED,
    skills: page.map((row) => {
      const { score, reason } = reasons.get(row.id) ?? { score: 0, reason: 'listed' as const };
      return { ...summaryOf(row), score: Number(score.toFixed(4)), reason };
    }),
    next:
      last === undefined || rows.length <= query.limit
        ? null
        : writeCursor(query, { key: last.key, id: last.id }),
  };
}

/** A made-up cursor may hold a value that is none of the column's type. */
function refuseKey(error: unknown): never {
  if (/^22/.test(databaseCode(error) ?? ''))
    throw new Failure('bad_request', 'the cursor does not belong to this search; start again without it');
  throw error;
}
