// The values that the filters of the search page offer.

import { type Caller, visibleTo } from '../access/index.ts';
import type { Searched } from './search-memory.ts';

/** The most frequent owners, tags and categories among the skills a caller may see. */
interface Facets {
  readonly owners: readonly string[];
  readonly tags: readonly string[];
  readonly categories: readonly string[];
}

/** Counting all skills takes longer than a search, and search pages are read with every key that is pressed. */
const KEPT_MS = 15_000;
const MAX_KEPT = 200;

/** Facets of one moment. */
export interface KeptFacets {
  readonly until: number;
  readonly facets: Promise<Facets>;
}

/** Reads the facets; callers who may see the same skills share them for a few seconds. */
export function readFacets(registry: Searched, caller: Caller): Promise<Facets> {
  const parameters: unknown[] = [];
  const key = `${visibleTo(caller, parameters)} ${JSON.stringify(parameters)}`;
  const all = registry.search.facets;
  const now = registry.now().getTime();
  const known = all.get(key);
  if (known !== undefined && known.until > now) return known.facets;
  const facets = countFacets(registry, caller);
  all.delete(key);
  all.set(key, { until: now + KEPT_MS, facets });
  for (const oldest of all.keys()) {
    if (all.size <= MAX_KEPT) break;
    all.delete(oldest);
  }
  facets.catch(() => all.delete(key));
  return facets;
}

async function countFacets({ database }: Searched, caller: Caller): Promise<Facets> {
  const parameters: unknown[] = [];
  const rows = await database.query<{ kind: keyof Facets; value: string }>(
    `with seen as materialized (
       select o.name as owner, s.tags, s.category from skills s join owners o on o.id = s.owner_id
       where ${visibleTo(caller, parameters)}
     ), counted as (
       select 'owners' as kind, owner as value, count(*) as total from seen group by owner
       union all select 'categories', category, count(*) from seen where category is not null group by category
       union all select 'tags', tag, count(*) from seen cross join unnest(tags) as tag group by tag
     ), ranked as (
       select kind, value, row_number() over (partition by kind order by total desc, value) as place from counted
     )
     select kind, value from ranked where place <= 50 order by kind, place`,
    parameters,
  );
  const of = (wanted: keyof Facets) => rows.filter(({ kind }) => kind === wanted).map(({ value }) => value);
  return { owners: of('owners'), tags: of('tags'), categories: of('categories') };
}
