// How rare words are among the skills a caller may see. Remembered for a while: rarity changes slowly.

import type { SearchQuery } from 'skillwright/registry-protocol';
import { type Caller, readableOwners } from '../access/index.ts';
import { emptyPosting, isFull } from './packed-store.ts';
import type { Searched, SearchMemory } from './search-memory.ts';

/** Scopes of the postings a caller may read; undefined for all. */
export type Scopes = readonly number[] | undefined;

/** The scopes of a caller. */
export function scopesOf(caller: Caller): Scopes {
  const owners = readableOwners(caller);
  return owners === undefined ? undefined : [0, ...owners].sort((a, b) => a - b);
}

/** Lists of other scopes or filters contain other skills. */
export function describeLists(
  scopes: Scopes,
  { owner, tag, category, level }: Partial<SearchQuery> = {},
): string {
  return JSON.stringify([scopes, owner, tag, category, level]);
}

/** Whether a description of lists names a filter. */
export function hasFilters(about: string): boolean {
  return !about.endsWith(',null,null,null,null]');
}

/** A word counts as found in at most this many skills: more are equally common. */
const MAX_FREQUENCY = 5000;
const KEPT_MS = 300_000;

/** SQL for the number of skills with a term. `scope` is a parameter with the scopes, as an array. */
export function countPostings(term: string, scope: string | undefined): string {
  const condition = scope === undefined ? '' : ` and p.scope = any(${scope})`;
  return `(select count(*) from (
    select from search_postings p where p.term = ${term}${condition} limit ${MAX_FREQUENCY}) as counted)`;
}

/** Counts for the callers with the same scopes. */
export type WordStatistics = ReturnType<typeof wordStatistics>;

/** Counts of one moment on. */
export interface KeptCounts {
  readonly at: number;
  readonly counts: Map<number, number>;
  skills: Promise<number> | undefined;
}

/** The statistics of a registry for some scopes. */
export function wordStatistics(
  registry: Searched,
  { scopes, memory }: { readonly scopes: Scopes; readonly memory: SearchMemory },
) {
  const kept = keepCounts(registry, scopes?.join(' ') ?? 'all');
  const { counts } = kept;
  const about = describeLists(scopes);
  const remember = (term: number, count: number) => {
    if (count > 0) counts.set(term, count);
    // The next publication may bring a missing word, and the next search must find it.
    else memory.postings.set(about, term, emptyPosting);
  };
  const recall = (term: number) => {
    const list = memory.postings.get(about, term);
    return list === undefined || isFull(list) ? counts.get(term) : list.skills.length;
  };
  return {
    /** The number of skills with a term, if it is remembered. */
    recall,
    remember,
    /** Number of skills. */
    skills(): Promise<number> {
      kept.skills ??= countSkills(registry, scopes).then(
        (count) => {
          if (count === 0) kept.skills = undefined;
          return count;
        },
        (error: unknown) => {
          kept.skills = undefined;
          throw error;
        },
      );
      return kept.skills;
    },
    /** Numbers of skills by term. */
    async frequencies(terms: readonly number[]): Promise<ReadonlyMap<number, number>> {
      const found = new Map(terms.map((term) => [term, recall(term)]));
      const missing = terms.filter((term) => found.get(term) === undefined);
      const rows =
        missing.length === 0
          ? []
          : await registry.database.query<{ term: number; count: number }>(
              `select q.term, ${countPostings('q.term', scopes === undefined ? undefined : '$2::bigint[]')} as count
               from unnest($1::integer[]) as q (term)`,
              scopes === undefined ? [missing] : [missing, scopes],
            );
      for (const { term, count } of rows) {
        remember(term, count);
        found.set(term, count);
      }
      return new Map(terms.map((term) => [term, found.get(term) ?? 0]));
    },
  };
}

async function countSkills({ database }: Searched, scopes: Scopes): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*) as count from search_documents${scopes === undefined ? '' : ' where scope = any($1::bigint[])'}`,
    scopes === undefined ? [] : [scopes],
  );
  return row!.count;
}

/** The counts for some scopes, or new ones when they are too old or too many. */
function keepCounts(registry: Searched, scopes: string): KeptCounts {
  const all = registry.search.counts;
  const now = registry.now().getTime();
  const known = all.get(scopes);
  if (known !== undefined && now - known.at < KEPT_MS) return known;
  let total = 0;
  for (const { counts } of all.values()) total += counts.size;
  if (total >= registry.search.maxCounts) all.clear();
  const fresh: KeptCounts = { at: now, counts: new Map(), skills: undefined };
  all.set(scopes, fresh);
  return fresh;
}
