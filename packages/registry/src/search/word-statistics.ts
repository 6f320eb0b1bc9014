// How rare words are among the skills a caller may see. Remembered for a while: rarity changes slowly.

import type { Caller } from '../access/caller.ts';
import { may } from '../access/may.ts';
import type { Registry } from '../registry.ts';

/** Scopes of the postings a caller may read; undefined for all. */
export function scopesOf(caller: Caller): readonly number[] | undefined {
  const isAdmin = caller.account?.isAdmin === true && caller.scopes.has('read');
  if (caller.via === 'system' || (isAdmin && caller.limitedTo === undefined)) return undefined;
  const owners = [
    ...caller.roles.keys(),
    ...(isAdmin && caller.limitedTo !== undefined ? [caller.limitedTo] : []),
  ];
  return [0, ...new Set(owners.filter((ownerId) => may(caller, 'read', { ownerId })))].sort((a, b) => a - b);
}

/** A word counts as found in at most this many skills: more are equally common. */
const MAX_FREQUENCY = 5000;
const KEPT_MS = 60_000;
const MAX_KEPT = 200_000;

/** Counts for the callers with the same scopes. */
export interface WordStatistics {
  /** Number of skills. */
  skills(): Promise<number>;
  /** Numbers of skills by term. */
  frequencies(terms: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

interface Kept {
  readonly at: number;
  readonly count: number;
}

const keptBy = new WeakMap<Registry, Map<string, Kept>>();

/** The statistics of a registry for some scopes. */
export function wordStatistics(registry: Registry, scopes: readonly number[] | undefined): WordStatistics {
  const kept = keptBy.get(registry) ?? new Map<string, Kept>();
  keptBy.set(registry, kept);
  const now = registry.now().getTime();
  const key = (term: number | 'all') => `${scopes?.join(' ') ?? '*'}:${term}`;
  const recall = (term: number | 'all') => {
    const known = kept.get(key(term));
    return known !== undefined && now - known.at < KEPT_MS ? known.count : undefined;
  };
  const remember = (term: number | 'all', count: number) => {
    // The next publication may bring a missing word, and the next search must find it.
    if (count === 0) return;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key(term), { at: now, count });
  };
  const condition = (parameter: string) =>
    scopes === undefined ? '' : `and scope = any(${parameter}::bigint[])`;
  return {
    async skills() {
      const known = recall('all');
      if (known !== undefined) return known;
      const [row] = await registry.database.query<{ count: number }>(
        `select count(*) as count from search_documents where true ${condition('$1')}`,
        scopes === undefined ? [] : [scopes],
      );
      remember('all', row!.count);
      return row!.count;
    },
    async frequencies(terms) {
      const found = new Map<number, number>();
      const missing: number[] = [];
      for (const term of new Set(terms)) {
        const known = recall(term);
        if (known === undefined) missing.push(term);
        else found.set(term, known);
      }
      if (missing.length === 0) return found;
      const rows = await registry.database.query<{ term: number; count: number }>(
        `select q.term, (select count(*) from (
           select from search_postings p where p.term = q.term ${condition('$2')} limit ${MAX_FREQUENCY}) as counted) as count
         from unnest($1::integer[]) as q (term)`,
        scopes === undefined ? [missing] : [missing, scopes],
      );
      for (const { term, count } of rows) {
        remember(term, count);
        found.set(term, count);
      }
      return found;
    },
  };
}
