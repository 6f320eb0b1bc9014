// Small blocks that pages are made of: notices, empty states, cards, definitions, tabs, pagers.

import type { Tone } from './badge.ts';
import { type Content, type Html, html } from './html.ts';
import { formatCount } from './numbers.ts';

/** A message above the content. `bad` is announced at once. */
export function notice(tone: Tone, content: { readonly title: Content; readonly body?: Content }): Html {
  const { title, body } = content;
  const role = tone === 'bad' ? 'alert' : 'note';
  const more = body === undefined ? '' : html`<div class="notice-body">${body}</div>`;
  return html`<div class="notice ${tone}" role="${role}"><p class="notice-title">${title}</p>${more}</div>`;
}

/** Text for an empty list, with the next step. */
export function emptyState(title: string, body?: Content): Html {
  return html`<div class="empty"><p class="empty-title">${title}</p>${body === undefined ? '' : html`<div class="muted">${body}</div>`}</div>`;
}

/** A titled section in a box. */
export function card(title: string, content: Content): Html {
  return html`<section class="card"><h2 class="card-title">${title}</h2>${content}</section>`;
}

/** Terms and what they are; entries without a description are left out. */
export function definitions(entries: readonly (readonly [term: Content, description: Content])[]): Html {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== false);
  return html`<dl class="definitions">${shown.map(
    ([term, description]) => html`<div><dt>${term}</dt><dd>${description}</dd></div>`,
  )}</dl>`;
}

/** One tab, which is a page of its own. */
export interface Tab {
  readonly label: string;
  readonly href: string;
  readonly isCurrent?: boolean;
  readonly count?: number | undefined;
}

/** Tabs as links. */
export function tabs(label: string, items: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}"><ul>${items.map(
    ({ label: text, href, isCurrent, count }) =>
      html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : ''}>${text}${
        count === undefined ? '' : html` <span class="count">${formatCount(count)}</span>`
      }</a></li>`,
  )}</ul></nav>`;
}

/** The place of a page: links from the whole to the part. */
export function trail(items: readonly { readonly label: string; readonly href: string }[]): Html {
  return html`<nav class="trail" aria-label="Breadcrumb"><ol>${items.map(
    ({ label, href }) => html`<li><a href="${href}"><bdi>${label}</bdi></a></li>`,
  )}</ol></nav>`;
}

/** Links to the first and the next page of a list with cursors. */
export function pager(links: {
  readonly first?: string | undefined;
  readonly next?: string | undefined;
}): Html {
  const { first, next } = links;
  if (first === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages">${
    first === undefined ? '' : html`<a class="button" href="${first}" rel="first">First page</a>`
  }${next === undefined ? '' : html`<a class="button" href="${next}" rel="next">Next page</a>`}</nav>`;
}
