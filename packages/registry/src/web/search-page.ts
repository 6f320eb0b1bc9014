// Search with filters.

import {
  choiceField,
  emptyState,
  formatCount,
  type Html,
  html,
  pager,
  selectField,
  submit,
} from 'skillwright/pages';
import type { SearchQuery } from 'skillwright/registry-protocol';
import { readFacets, readSearchQuery, searchSkills } from '../search/index.ts';
import { searchHref } from './addresses.ts';
import { definePage, type Visit } from './define-page.ts';
import { shell } from './frame.ts';
import { loadMatches } from './load/load-matches.ts';
import { skillList } from './skill-list.ts';

/** One page of results, with the values filters offer and why each skill was found. */
type SearchView = Awaited<ReturnType<typeof loadSearch>>;

const sorts = [
  { value: 'relevance', label: 'Best match' },
  { value: 'updated', label: 'Last updated' },
  { value: 'downloads', label: 'Downloads' },
  { value: 'rating', label: 'Rating' },
  { value: 'name', label: 'Name' },
];

export const searchPage = definePage({
  path: '/search',
  load: loadSearch,
  draw(view, frame) {
    const { query } = view;
    const main = html`<h1 class="unseen">Search skills</h1>
<form method="get" action="/search" role="search" data-live="results" class="stack">
<div class="big-search"><label class="unseen" for="search-q">Search</label><input id="search-q" type="search" name="q" value="${query.q}" autocomplete="off" data-focus-key="/" dir="auto" placeholder="Name, task or topic">${submit('Search')}</div>
<div class="columns-search"><details class="filters-box"${isFiltered(query) ? html` open` : ''}><summary>Sort and filter</summary><div class="filters">${filters(view)}</div></details>
<div><p id="live-status" class="unseen" role="status"></p><div id="results">${results(view)}</div></div></div>
</form>`;
    const title = query.q === '' ? 'Skills' : `${query.q}: skills`;
    return shell(frame, { title, main, hasSearch: false });
  },
});

async function loadSearch({ registry, caller, context }: Visit) {
  const filled = Object.entries(context.req.query()).filter(([, value]) => value !== '');
  const query = readSearchQuery(Object.fromEntries(filled));
  const page = await searchSkills(registry, caller, query);
  const [{ owners, tags, categories }, matches] = await Promise.all([
    readFacets(registry, caller),
    loadMatches(registry, caller, { skills: page.skills, q: query.q }),
  ]);
  return { query, page, facets: { owners, tags, categories }, matches };
}

const isFiltered = ({ owner, tag, category, level, sort }: SearchQuery) =>
  [owner, tag, category, level].some((value) => value !== undefined) || sort !== 'relevance';

function filters({ query, facets }: SearchView): Html {
  const list = (name: 'owner' | 'tag' | 'category', label: string, values: readonly string[]) => {
    const chosen = query[name];
    const known = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
    if (known.length === 0) return html``;
    return selectField({
      name,
      label,
      value: chosen,
      choices: [
        { value: '', label: 'Any' },
        ...known.map((value) => ({ value, label: name === 'owner' ? `@${value}` : value })),
      ],
    });
  };
  return html`${selectField({ name: 'sort', label: 'Sort by', choices: sorts, value: query.sort })}
${list('owner', 'Owner', facets.owners)}${list('category', 'Category', facets.categories)}${list('tag', 'Tag', facets.tags)}
${choiceField({
  name: 'level',
  label: 'Level',
  kind: 'radio',
  choices: [
    { value: '', label: 'Any' },
    { value: 'official', label: 'Official' },
    { value: 'verified', label: 'Verified' },
    { value: 'community', label: 'Community' },
  ],
  chosen: [query.level ?? ''],
})}`;
}

function results({ page, query, matches }: SearchView): Html {
  const { q, owner, tag, category, level, sort, cursor } = query;
  const same = { q, owner, tag, category, level, sort: sort === 'relevance' ? undefined : sort };
  const total = `${formatCount(page.total)}${page.isTotalExact ? '' : '+'} ${page.total === 1 ? 'skill' : 'skills'}`;
  if (page.skills.length === 0)
    return html`<p class="muted small" data-result-count>${total}</p>${emptyState(
      'No skill matches',
      html`<p>Try fewer words, or <a href="/search">remove the filters</a>.</p>`,
    )}`;
  return html`<p class="muted small" data-result-count>${total}</p>${skillList(page.skills, 'h2', matches)}${pager(
    {
      first: cursor === undefined ? undefined : searchHref(same),
      next: page.next === null ? undefined : searchHref({ ...same, cursor: page.next }),
    },
  )}`;
}
