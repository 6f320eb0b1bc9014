// The first page: what this registry has, and how to begin.

import { commandLine, emptyState, formatCount, html } from 'skillwright/pages';
import { SearchQuery } from 'skillwright/registry-protocol';
import { readFacets, searchSkills } from '../search/index.ts';
import { definePage } from './define-page.ts';
import { type Frame, shell } from './frame.ts';
import { skillCards, skillList, tagLinks } from './skill-list.ts';

/** Tags and categories on the first page. */
const MAX_BROWSED = 20;

export const homePage = definePage({
  path: '/',
  load: async ({ registry, caller }) => {
    const newest = (query: { sort: 'downloads' | 'updated'; limit: number }) =>
      searchSkills(registry, caller, SearchQuery.parse(query));
    const [popular, recent, { counts, tags, categories }] = await Promise.all([
      newest({ sort: 'downloads', limit: 6 }),
      newest({ sort: 'updated', limit: 10 }),
      readFacets(registry, caller),
    ]);
    return {
      counts,
      popular: popular.skills,
      recent: recent.skills,
      /** The most frequent ones. */
      tags: tags.slice(0, MAX_BROWSED),
      categories: categories.slice(0, MAX_BROWSED),
    };
  },
  draw({ counts, popular, recent, tags, categories }, frame) {
    const main = html`<div class="hero">
<h1>Skills your agents can read and trust</h1>
<p>Every version is scanned, logged and readable section by section, without installing it.</p>
<form class="big-search" role="search" method="get" action="/search" data-live="results"><label class="unseen" for="home-q">Search skills</label><input id="home-q" type="search" name="q" placeholder="Search skills" autocomplete="off" data-focus-key="/" dir="auto"><button type="submit" class="button primary">Search</button></form>
<p id="live-status" class="unseen" role="status"></p>
</div>
<div id="results" class="stack-large">
<dl class="stats"><div><dt>Skills</dt><dd>${formatCount(counts.skills)}</dd></div><div><dt>Versions</dt><dd>${formatCount(counts.versions)}</dd></div><div><dt>Owners</dt><dd>${formatCount(counts.owners)}</dd></div></dl>
${counts.skills === 0 ? firstSteps(frame) : ''}
${categories.length + tags.length === 0 ? '' : html`<section class="stack"><h2>Browse</h2>${categories.length === 0 ? '' : html`<h3 class="small muted">Categories</h3>${tagLinks(categories, 'category')}`}${tags.length === 0 ? '' : html`<h3 class="small muted">Tags</h3>${tagLinks(tags)}`}</section>`}
${
  popular.length === 0
    ? ''
    : html`<section><div class="section-head"><h2>Most downloaded</h2><a class="small" href="/search?sort=downloads">All by downloads</a></div>${skillCards(popular)}</section>`
}
${
  recent.length === 0
    ? ''
    : html`<section><div class="section-head"><h2>New and updated</h2><a class="small" href="/search?sort=updated">All by date</a></div>${skillList(recent, 'h3')}</section>`
}
</div>`;
    return shell(frame, { title: frame.registryName, main, hasSearch: false });
  },
});

function firstSteps({ publicUrl, viewer }: Frame) {
  const title = viewer === undefined ? 'No public skills' : 'No skills yet';
  const next =
    viewer === undefined
      ? html`<p><a href="/signin">Sign in</a> to see the skills of your namespaces.</p>`
      : html`<p>Log in from a terminal:</p>${commandLine(`skc login ${publicUrl} --save`, 'command to log in')}<p>Then <a href="/settings">create a namespace</a>. Its page shows the command that publishes.</p>`;
  return emptyState(title, next);
}
