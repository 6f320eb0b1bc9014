// Search: one page of skills the caller may see, and the cursor of the next one. A cursor is the last result and the numbers its
// score depends on, so that the next page goes on exactly there whatever was published in between.

import { createHash } from 'node:crypto';
import { type SearchHit, type SearchPage, SearchQuery } from 'skillwright/registry-protocol';
import * as z from 'zod';
import { type Caller, visibleTo } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { type SkillRow, skillColumns, summaryOf } from '../catalog/index.ts';
import { databaseCode, type Store } from '../store/index.ts';
import { bestOf, listRanked, rankSkills, type SearchRank } from './rank-skills.ts';
import { filterSkills } from './read-postings.ts';
import { recallSearches, type Searched, type SearchMemory } from './search-memory.ts';
import { describeLists, scopesOf } from './word-statistics.ts';

/** Searches, or lists when the query is blank. */
export async function searchSkills(
  registry: Searched,
  caller: Caller,
  query: SearchQuery,
): Promise<SearchPage> {
  if (query.q.trim() === '') return listSkills(registry, caller, { query });
  const memory = await recallSearches(registry);
  if (query.sort !== 'relevance') {
    const ranking = await rankSkills(registry, caller, { query, before: undefined, memory });
    const page = await listSkills(registry, caller, { query, among: listRanked(ranking) });
    return { ...page, isTotalExact: page.isTotalExact && !ranking.isCut };
  }
  const before = readRankedPlace(query);
  const ranking = await rankSkills(registry, caller, { query, before, memory });
  const { page, rest, total } = bestOf(ranking, { limit: query.limit, after: before });
  const last = page.at(-1);
  return {
    total: Math.min(total, MAX_COUNTED),
    isTotalExact: !ranking.isCut && total <= MAX_COUNTED,
    skills: await readHits(registry, caller, { ranked: page, memory }),
    next:
      last === undefined || rest <= query.limit
        ? null
        : writeCursor(query, { score: last.score, id: last.id, ...ranking.basis }),
  };
}

/** The summaries of ranked skills, in their order. Checks the right to see each of them once more. */
async function readHits(
  registry: Searched,
  caller: Caller,
  { ranked, memory }: { ranked: readonly SearchRank[]; memory: SearchMemory },
): Promise<SearchHit[]> {
  // The right to see a skill depends on the scopes alone.
  const about = describeLists(scopesOf(caller));
  const summaries = new Map(ranked.map(({ id }) => [id, memory.summaries.get(about, id)]));
  const missing = ranked.flatMap(({ id }) => (summaries.get(id) === undefined ? [id] : []));
  if (missing.length > 0) {
    const parameters: unknown[] = [missing];
    const visible = visibleTo(caller, parameters);
    const rows = await registry.database.query<SkillRow>(
      `select ${skillColumns} from skills s join owners o on o.id = s.owner_id
       where s.id = any($1::bigint[]) and ${visible}`,
      parameters,
    );
    const byId = new Map(rows.map((row) => [row.id, summaryOf(row)]));
    for (const id of missing) {
      const summary = byId.get(id) ?? null;
      summaries.set(id, summary);
      memory.summaries.set(about, id, summary);
    }
  }
  return ranked.flatMap(({ id, score, reason }) => {
    const summary = summaries.get(id) ?? null;
    return summary === null ? [] : [{ ...summary, score: Number(score.toFixed(4)), reason }];
  });
}

/** Results counted; more are "at least". */
const MAX_COUNTED = 1000;

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
async function listSkills(
  { database }: Store,
  caller: Caller,
  { query, among }: { readonly query: SearchQuery; readonly among?: readonly SearchRank[] },
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

/** A made-up cursor may hold a value that does not have the column's type. */
function refuseKey(error: unknown): never {
  if (/^22/.test(databaseCode(error) ?? ''))
    throw new Failure('bad_request', 'the cursor does not belong to this search; start again without it');
  throw error;
}

/** The query of an address. Fails when a parameter is not valid. */
export function readSearchQuery(parameters: Readonly<Record<string, string>>): SearchQuery {
  const query = SearchQuery.safeParse(parameters);
  if (!query.success)
    throw new Failure('bad_request', 'the search is not valid', {
      details: query.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    });
  // PostgreSQL has no such character.
  if (Object.values(parameters).some((value) => value.includes('\0')))
    throw new Failure('bad_request', 'the search is not valid', { details: ['a parameter contains a NUL'] });
  return query.data;
}

const Count = z.number().int().nonnegative();

/** Place after a result ordered by score. */
const RankedPlace = z.strictObject({
  score: z.number().min(0).max(10),
  id: Count,
  /** Number of skills, places of the words that count, and how many skills have each term. */
  skills: Count,
  words: z.array(Count).max(64),
  frequencies: z.array(Count).max(64),
});
export type RankedPlace = z.output<typeof RankedPlace>;

/** Place after a result ordered by a column, as PostgreSQL spells its value. */
const ListedPlace = z.strictObject({ key: z.string().max(200), id: Count });
type ListedPlace = z.output<typeof ListedPlace>;

/** A cursor for the same query, filters and order. */
function writeCursor(query: SearchQuery, place: RankedPlace | ListedPlace): string {
  return Buffer.from(JSON.stringify([digestOfQuery(query), place])).toString('base64url');
}

const readRankedPlace = (query: SearchQuery) => readCursor(query, RankedPlace);
const readListedPlace = (query: SearchQuery) => readCursor(query, ListedPlace);

/** The place in a cursor; undefined for the first page. Fails when the cursor is of another query, or made up. */
function readCursor<Place>(query: SearchQuery, Place: z.ZodType<Place>): Place | undefined {
  if (query.cursor === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(query.cursor, 'base64url').toString());
    const [digest, place] = z.tuple([z.string(), Place]).parse(value);
    if (digest === digestOfQuery(query)) return place;
  } catch {
    // Said below.
  }
  throw new Failure('bad_request', 'the cursor does not belong to this search; start again without it');
}

function digestOfQuery({ q, owner, tag, category, level, sort }: SearchQuery): string {
  const parts = JSON.stringify([q, owner, tag, category, level, sort]);
  return createHash('sha256').update(parts).digest('base64url').slice(0, 12);
}
