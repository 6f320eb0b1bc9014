// Numbers of the skills that a caller may see, and the values that the filters of the search page offer.

import { type Caller, visibleTo } from '../access/index.ts';
import { PUBLISHED } from '../catalog/index.ts';
import type { Searched } from './search-memory.ts';

/** The skills a caller may see: how many, and their most frequent owners, tags and categories. */
interface Facets {
  readonly counts: { readonly skills: number; readonly versions: number; readonly owners: number };
  readonly owners: readonly string[];
  readonly tags: readonly string[];
  readonly categories: readonly string[];
}

/** Counting all skills takes longer than a search, and search pages are read with every key that is pressed. */
const KEPT_MS = 15_000;
/** Older facets are shown while the next are counted, but not for longer than this. */
const SHOWN_MS = 60_000;
const MAX_KEPT = 200;
/** Values of one kind. */
const MAX_VALUES = 50;

/** Facets of one moment. */
export interface KeptFacets {
  readonly at: number;
  readonly facets: Promise<Facets>;
  isRenewing: boolean;
}

/** Reads the facets; callers who may see the same skills share them for a few seconds. */
export function readFacets(registry: Searched, caller: Caller): Promise<Facets> {
  const parameters: unknown[] = [];
  const key = `${visibleTo(caller, parameters)} ${JSON.stringify(parameters)}`;
  const all = registry.search.facets;
  const now = registry.now().getTime();
  const known = all.get(key);
  const age = now - (known?.at ?? 0);
  if (known !== undefined && (age < KEPT_MS || (known.isRenewing && age < SHOWN_MS))) return known.facets;
  const counted = countFacets(registry, caller);
  const keep = () => {
    all.delete(key);
    all.set(key, { at: now, facets: counted, isRenewing: false });
    for (const oldest of all.keys()) {
      if (all.size <= MAX_KEPT) break;
      all.delete(oldest);
    }
  };
  const forget = () => {
    all.delete(key);
  };
  // Somebody who publishes the first skill sees it at once.
  counted.then(({ counts }) => counts.skills === 0 && forget(), forget);
  if (known !== undefined && age < SHOWN_MS) {
    known.isRenewing = true;
    counted.then(keep, () => {});
    return known.facets;
  }
  keep();
  return counted;
}

async function countFacets({ database }: Searched, caller: Caller): Promise<Facets> {
  const parameters: unknown[] = [];
  const [row] = await database.query<Facets>(
    `with seen as materialized (
       select s.id, s.owner_id, o.name as owner, s.tags, s.category from skills s join owners o on o.id = s.owner_id
       where ${visibleTo(caller, parameters)}
     ), counted as (
       select 'owners' as kind, owner as value, count(*) as total from seen group by owner
       union all select 'categories', category, count(*) from seen where category is not null group by category
       union all select 'tags', tag, count(*) from seen cross join unnest(tags) as tag group by tag
     ), ranked as (
       select kind, value, row_number() over (partition by kind order by total desc, value) as place from counted
     ), listed as (
       select kind, jsonb_agg(value order by place) as list from ranked where place <= ${MAX_VALUES} group by kind
     )
     select jsonb_build_object('skills', (select count(*) from seen),
         'versions', (select count(*) from versions v join seen s on s.id = v.skill_id where ${PUBLISHED}),
         'owners', (select count(distinct owner_id) from seen)) as counts,
       ${['owners', 'tags', 'categories'].map((kind) => `coalesce((select list from listed where kind = '${kind}'), '[]') as ${kind}`).join(', ')}`,
    parameters,
  );
  return row!;
}
