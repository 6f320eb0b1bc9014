// Search: one page of skills the caller may see.

import type { SearchHit, SearchPage, SearchQuery } from 'skillwright/registry-protocol';
import type { Caller } from '../access/caller.ts';
import { visibleTo } from '../access/may.ts';
import type { Registry } from '../registry.ts';
import { listSkills, MAX_COUNTED } from './list-skills.ts';
import { bestOf, compareRanked, type RankedSkill, rankSkills } from './rank-skills.ts';
import { readRankedPlace, writeCursor } from './search-cursor.ts';
import { readSummary, type SummaryRow, summaryColumns } from './summary-row.ts';

/** Searches, or lists when the query is blank. */
export async function searchSkills(
  registry: Registry,
  caller: Caller,
  query: SearchQuery,
): Promise<SearchPage> {
  if (query.q.trim() === '') return listSkills(registry, caller, { query });
  if (query.sort !== 'relevance') {
    const ranking = await rankSkills(registry, caller, { query, before: undefined });
    const page = await listSkills(registry, caller, { query, among: ranking.skills });
    return { ...page, isTotalExact: page.isTotalExact && !ranking.isCut };
  }
  const before = readRankedPlace(query);
  const { skills, isCut, basis } = await rankSkills(registry, caller, { query, before });
  const rest = before === undefined ? skills : skills.filter((skill) => compareRanked(skill, before) > 0);
  const page = bestOf(rest, query.limit);
  const last = page.at(-1);
  const total = Math.min(skills.length, MAX_COUNTED);
  return {
    total,
    isTotalExact: !isCut && skills.length <= MAX_COUNTED,
    skills: await readHits(registry, caller, page),
    next:
      last === undefined || rest.length <= query.limit
        ? null
        : writeCursor(query, { score: last.score, id: last.id, ...basis }),
  };
}

/** The summaries of ranked skills, in their order. Checks the right to see each of them once more. */
async function readHits(
  registry: Registry,
  caller: Caller,
  ranked: readonly RankedSkill[],
): Promise<SearchHit[]> {
  if (ranked.length === 0) return [];
  const parameters: unknown[] = [ranked.map(({ id }) => id)];
  const visible = visibleTo(caller, parameters);
  const rows = await registry.database.query<SummaryRow>(
    `select ${summaryColumns} from skills s join owners o on o.id = s.owner_id
     where s.id = any($1::bigint[]) and ${visible}`,
    parameters,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ranked.flatMap(({ id, score, reason }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ ...readSummary(row), score: Number(score.toFixed(4)), reason }];
  });
}
