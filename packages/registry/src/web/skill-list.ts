// Skills as rows of a list and as cards.

import {
  ago,
  badge,
  foreign,
  formatCount,
  formatShort,
  type Html,
  html,
  levelBadge,
  plural,
  privateBadge,
  showControls,
  verdictBadge,
} from 'skillwright/pages';
import type { SkillSummary } from 'skillwright/registry-protocol';
import { ownerHref, ownerOf, skillHref } from './addresses.ts';

/** `@owner/name` with its owner in a quieter colour. */
export function addressText(name: string): Html {
  const owner = ownerOf(name);
  return html`<bdi><span class="address-owner">@${owner}/</span>${name.slice(owner.length + 2)}</bdi>`;
}

/** Mean and number of ratings. */
export function ratingText(rating: SkillSummary['rating']): Html | undefined {
  if (rating === null) return undefined;
  const full = Math.round(rating.mean);
  return html`<span class="stars" aria-hidden="true">${'★'.repeat(full)}${'☆'.repeat(5 - full)}</span> <span class="unseen">rated </span>${rating.mean.toFixed(1)}<span class="unseen"> of 5</span> <span class="muted">(${formatCount(rating.count)})</span>`;
}

/** Badges of a skill in lists: those that say something. */
function badges({ level, visibility, deprecated }: SkillSummary): Html {
  return html`${level === 'community' ? '' : levelBadge(level)} ${visibility === 'private' ? privateBadge() : ''} ${deprecated === null ? '' : badge('deprecated', { tone: 'warn', sign: '!', title: deprecated })}`;
}

/** Why a search found a skill. */
export interface SkillMatch {
  readonly verdict: string;
  /** The best sentence in parts; undefined when no sentence has a word of the question. */
  readonly sentence: readonly { readonly text: string; readonly isMatch: boolean }[] | undefined;
}

/** Results, best first. */
export function skillList(
  skills: readonly SkillSummary[],
  heading: 'h2' | 'h3' = 'h2',
  matches?: ReadonlyMap<string, SkillMatch>,
): Html {
  return html`<ul class="results">${skills.map((skill) => {
    const { verdict, sentence } = matches?.get(skill.name) ?? {};
    const title = html`<a href="${skillHref(skill.name)}">${addressText(skill.name)}</a> ${verdict === undefined ? '' : verdictBadge(verdict)} ${badges(skill)}`;
    return html`<li class="result">${heading === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
<p class="excerpt" dir="auto">${skill.description}</p>${sentence === undefined ? '' : html`<p class="found small muted" dir="auto">${sentence.map(({ text, isMatch }) => (isMatch ? html`<mark>${showControls(text)}</mark>` : showControls(text)))}</p>`}
<p class="facts">${skill.latest === null ? html`<span>no installable version</span>` : html`<span class="mono">${skill.latest}</span>`}<span>updated ${ago(skill.updated)}</span><span>${plural(skill.downloads, 'download')}</span>${
      skill.rating === null ? '' : html`<span>${ratingText(skill.rating)}</span>`
    }${skill.license === null ? '' : html`<span>${foreign(skill.license)}</span>`}</p></li>`;
  })}</ul>`;
}

/** Skills as a grid of cards. */
export function skillCards(skills: readonly SkillSummary[]): Html {
  return html`<ul class="grid">${skills.map(
    (
      skill,
    ) => html`<li class="card"><h3><a href="${skillHref(skill.name)}">${addressText(skill.name)}</a></h3>
<p class="excerpt" dir="auto">${skill.description}</p>
<p class="facts">${skill.latest === null ? '' : html`<span class="mono">${skill.latest}</span>`}<span>${formatShort(skill.downloads)} ${skill.downloads === 1 ? 'download' : 'downloads'}</span>${badges(skill)}</p></li>`,
  )}</ul>`;
}

/** Tags, or categories, as links to searches. */
export function tagLinks(tags: readonly string[], kind: 'tag' | 'category' = 'tag'): Html {
  return html`<ul class="tags">${tags.map(
    (tag) =>
      html`<li><a class="tag" href="/search?${kind}=${encodeURIComponent(tag)}"><bdi dir="auto">${tag}</bdi></a></li>`,
  )}</ul>`;
}

/** A link to an owner's page. */
export function ownerLink(owner: string): Html {
  return html`<a href="${ownerHref(owner)}"><bdi>@${owner}</bdi></a>`;
}
