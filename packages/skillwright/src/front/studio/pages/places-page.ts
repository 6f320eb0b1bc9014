// Goes to a page, a skill or a section. The script shows the same form and list above any page.

import { emptyState, foreign, type Html, html, submit } from '../../pages/index.ts';
import type { PlacesView } from '../data/read-places.ts';
import { isExport, type StudioFrame, studioShell } from './studio-shell.ts';

export function placesPage({ q, places }: PlacesView, frame: StudioFrame): Html {
  const list =
    places.length === 0
      ? emptyState('No match', 'Search finds skills by what they are for.')
      : html`<ul class="go-list">${places.map(
          ({ kind, title, about, path }) =>
            html`<li><a href="${frame.href(path)}"><span class="go-kind">${kind}</span><span class="go-title">${foreign(title)}</span><span class="go-about">${foreign(about)}</span></a></li>`,
        )}</ul>`;
  const main = html`<div class="page-head"><h1>Go to</h1><p>Pages, skills and sections. On every page, <kbd>Ctrl K</kbd> or <kbd>⌘ K</kbd> opens this list.</p></div>
${isExport(frame) ? list : html`<form method="get" action="${frame.href('/go')}" role="search" data-live="go-results" class="stack"><div class="big-search"><label class="unseen" for="go-q">Page, skill or section</label><input id="go-q" type="search" name="q" value="${q}" autocomplete="off" data-focus-key="/" dir="auto" placeholder="Page, skill or section">${submit('Find')}</div><div id="go-results">${list}</div></form>`}`;
  return studioShell(frame, { title: 'Go to', main, hasSearch: false });
}
