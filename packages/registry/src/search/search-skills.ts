// Search: one page of skills the caller may see.

import type { SearchHit, SearchPage, SearchQuery } from 'skillwright/registry-protocol';
import { type Caller, visibleTo } from '../access/index.ts';
import { type SkillRow, skillColumns, summaryOf } from '../catalog/index.ts';
import { listSkills, MAX_COUNTED } from './list-skills.ts';
import { bestOf, listRanked, type RankedSkill, rankSkills } from './rank-skills.ts';
import { readRankedPlace, writeCursor } from './search-cursor.ts';
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
  { ranked, memory }: { ranked: readonly RankedSkill[]; memory: SearchMemory },
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
