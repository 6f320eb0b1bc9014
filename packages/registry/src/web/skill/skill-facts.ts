// Facts beside a skill: numbers, origin, rating.

import { formatBytes } from 'skillwright/base';
import {
  abilityBadge,
  abilityTitles,
  ago,
  barChart,
  card,
  definitions,
  foreign,
  form,
  formatCount,
  type Html,
  html,
  outsideLink,
  plural,
} from 'skillwright/pages';
import { skillHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { ratingText, tagLinks } from '../skill-list.ts';
import type { ShownVersion, SkillView } from './skill-page.ts';

export function skillFacts(view: SkillView, frame: Frame): Html {
  const { index, version, downloads } = view;
  const { license, repository, homepage, tags, category } = index;
  const about = definitions([
    ['Licence', license === null ? html`<span class="muted">none given</span>` : foreign(license)],
    ...(version === null ? [] : aboutVersion(version)),
    ['Repository', repository === null ? null : outsideLink(repository)],
    ['Website', homepage === null ? null : outsideLink(homepage)],
    [
      'Category',
      category === null
        ? null
        : html`<a href="/search?category=${encodeURIComponent(category)}">${foreign(category)}</a>`,
    ],
    ['Tags', tags.length === 0 ? null : tagLinks(tags)],
    [
      'Trust',
      version === null
        ? null
        : html`<a href="${skillHref(index.name, { tab: 'safety' })}">${version.trust.score} of 100</a>`,
    ],
  ]);
  const chart = barChart(
    downloads.map(({ day: label, count }) => ({ label, value: count })),
    { id: 'downloads', title: 'Downloads per day', unit: 'downloads' },
  );
  return html`${card('About', about)}${card(`Downloads · ${formatCount(index.downloads)}`, index.downloads === 0 ? html`<p class="muted small">No downloads yet.</p>` : chart)}${card('Rating', rating(view, frame))}`;
}

function aboutVersion({ author, index, document, abilities }: ShownVersion) {
  const { files, unpacked, client } = document;
  return [
    ['Author', author ? foreign(author) : null],
    ['Published', ago(index.published)],
    ['By', foreign(document.publishedBy)],
    ['It can', abilitiesOf(abilities)],
    ['Size', `${formatBytes(unpacked)} in ${plural(files.length, 'file')}`],
    ['Client', client === null ? null : html`skc <code>${client}</code>`],
  ] as const;
}

/** The kinds of things that its files do, with those that it does not declare marked. */
function abilitiesOf(abilities: ShownVersion['abilities']): Html | null {
  const used = abilities?.filter(({ found }) => found.length > 0);
  if (used === undefined) return null;
  if (used.length === 0) return html`<span class="muted">nothing found</span>`;
  const badges = used.map(({ kind, found }) =>
    abilityBadge(
      abilityTitles[kind],
      found.every(({ declared }) => declared),
    ),
  );
  return html`<span class="row">${badges}</span>`;
}

function rating({ index, viewer }: SkillView, { csrf, viewer: account }: Frame): Html {
  const mean = ratingText(index.rating) ?? html`<span class="muted small">No ratings yet.</span>`;
  if (!viewer.mayRate)
    return html`<p>${mean}</p>${account === undefined ? html`<p class="small"><a href="/signin?return=${encodeURIComponent(`/${index.name}`)}">Sign in</a> to rate it.</p>` : ''}`;
  const stars = [1, 2, 3, 4, 5].map(
    (count) =>
      html`<button type="submit" class="button" name="stars" value="${count}" aria-pressed="${viewer.stars === count ? 'true' : 'false'}" aria-label="${count} of 5">${count}</button>`,
  );
  const yours = viewer.stars === null ? 'Rate it' : `You gave ${viewer.stars} of 5`;
  const undo =
    viewer.stars === null
      ? ''
      : html`<button type="submit" class="button" name="stars" value="0">Remove</button>`;
  return html`<p>${mean}</p><p class="small muted">${yours}</p>${form({ action: `/${index.name}/rating`, csrf, isInline: true, label: 'Your rating', content: html`<div class="row stars-form">${stars}${undo}</div>` })}`;
}
