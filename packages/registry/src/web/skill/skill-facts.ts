// Facts beside a skill: numbers, origin, rating.

import { formatBytes } from 'skillwright/base';
import {
  barChart,
  card,
  day,
  definitions,
  foreign,
  form,
  formatCount,
  type Html,
  html,
  outsideLink,
} from 'skillwright/pages';
import { skillHref } from '../addresses.ts';
import type { Frame } from '../frame.ts';
import { ratingText, tagLinks } from '../skill-list.ts';
import type { SkillView } from './skill-view.ts';

export function skillFacts(view: SkillView, frame: Frame): Html {
  const { index, version, downloads } = view;
  const { license, repository, homepage, tags, category } = index;
  const about = definitions([
    ['Licence', license === null ? html`<span class="muted">none given</span>` : foreign(license)],
    ['Published', version === null ? null : day(version.index.published)],
    ['By', version === null ? null : foreign(version.document.publishedBy)],
    [
      'Size',
      version === null
        ? null
        : html`${formatBytes(version.document.unpacked)} in ${formatCount(version.document.files.length)} files`,
    ],
    [
      'Client',
      version === null || version.document.client === null
        ? null
        : html`skc <code>${version.document.client}</code>`,
    ],
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
      version === null || version.trust === null
        ? null
        : html`<a href="${skillHref(index.name, { tab: 'safety' })}">${version.trust.score} of 100</a>`,
    ],
  ]);
  const chart = barChart(
    downloads.map(({ day: label, count }) => ({ label, value: count })),
    { id: 'downloads', title: 'Downloads per day', unit: 'downloads' },
  );
  return html`${card('About', about)}${card(`Downloads · ${formatCount(index.downloads)}`, downloads.length === 0 ? html`<p class="muted small">No downloads yet.</p>` : chart)}${card('Rating', rating(view, frame))}`;
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
