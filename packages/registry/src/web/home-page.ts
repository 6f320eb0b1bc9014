// The first page: what this registry has, and how to begin.

import { commandLine, emptyState, formatCount, html } from 'skillwright/pages';
import type { SkillSummary } from 'skillwright/registry-protocol';
import { type Frame, shell } from './frame.ts';
import { skillCards, skillList } from './skill-list.ts';

/** Counts and lists of skills the viewer may see. */
interface HomeView {
  readonly counts: { readonly skills: number; readonly versions: number; readonly owners: number };
  readonly popular: readonly SkillSummary[];
  readonly recent: readonly SkillSummary[];
}

export function homePage({ counts, popular, recent }: HomeView, frame: Frame): string {
  const main = html`<div class="hero">
<h1>Skills your agents can read and trust</h1>
<p>Every version is scanned, logged and readable section by section, without installing it.</p>
<form class="big-search" role="search" method="get" action="/search" data-live="results"><label class="unseen" for="home-q">Search skills</label><input id="home-q" type="search" name="q" placeholder="Search skills" autocomplete="off" data-focus-key="/" dir="auto"><button type="submit" class="button primary">Search</button></form>
<p id="live-status" class="unseen" role="status"></p>
</div>
<div id="results" class="stack-large">
<dl class="stats"><div><dt>Skills</dt><dd>${formatCount(counts.skills)}</dd></div><div><dt>Versions</dt><dd>${formatCount(counts.versions)}</dd></div><div><dt>Owners</dt><dd>${formatCount(counts.owners)}</dd></div></dl>
${counts.skills === 0 ? firstSteps(frame) : ''}
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
}

function firstSteps({ publicUrl, viewer }: Frame) {
  const title = viewer === undefined ? 'No public skills' : 'No skills yet';
  const next =
    viewer === undefined
      ? html`<p><a href="/signin">Sign in</a> to see the skills of your namespaces.</p>`
      : html`<p>Log in from a terminal:</p>${commandLine(`skc login ${publicUrl} --save`, 'command to log in')}<p>Then <a href="/settings">create a namespace</a>. Its page shows the command that publishes.</p>`;
  return emptyState(title, next);
}
