// Facts of a skill as the pages show them.

import { quoteWord } from '../../../base/diagnostics/index.ts';
import {
  badge,
  type Content,
  day,
  foreign,
  formatCount,
  type Html,
  html,
  join,
  type Point,
  tabs,
} from '../../pages/index.ts';
import { skillPath } from '../data/show-place.ts';
import type { SkillRow } from '../data/skill-facts.ts';
import { RANGES, type RangeName, type UseChart } from '../data/usage-counts.ts';
import type { StudioFrame } from './studio-shell.ts';

const forms: Readonly<Record<string, string>> = {
  stub: 'Agents load a stub and read sections when they need them',
  files: 'Agents load a stub, with files next to it',
  whole: 'Agents load the whole skill',
  unmanaged: 'Not deployed by skc',
};

/** The form a skill is deployed in. */
export function formBadge(form: string | null, why: string | null = null): Html {
  if (form === null) return badge('not deployed', { title: why ?? 'No agent has it' });
  const title = [forms[form], why].filter((text) => text !== undefined && text !== null).join('. ');
  return badge(form === 'files' ? 'stub with files' : form, {
    tone: form === 'unmanaged' ? 'neutral' : 'accent',
    title,
  });
}

/** A link inside the studio. In an export, pages without a file are named only. */
export function pageLink(path: string, { text, frame }: { text: Content; frame: StudioFrame }): Html {
  const address = frame.href(path);
  return address === '#' ? html`${text}` : html`<a href="${address}">${text}</a>`;
}

/** The name of a skill, linked if it has a page. */
export function skillLink(
  skill: { readonly id: string | null; readonly name: string },
  frame: StudioFrame,
): Html {
  const { id, name } = skill;
  if (id === null) return foreign(name);
  return pageLink(skillPath(id), { text: foreign(name), frame });
}

/** Names as small labels; all of them in a title when some are left out. */
export function nameTags(names: readonly string[], { limit, none }: { limit: number; none: string }): Html {
  if (names.length === 0) return html`<span class="muted small">${none}</span>`;
  const rest = names.length - limit;
  return html`<ul class="tags">${names.slice(0, limit).map((name) => html`<li class="tag">${foreign(name)}</li>`)}${
    rest > 0
      ? html`<li class="tag" title="${names.slice(limit).join(', ')}">+${rest}<span class="unseen"> more: ${names.slice(limit).join(', ')}</span></li>`
      : ''
  }</ul>`;
}

/** The first two names as words, and how many more. */
export function nameWords(names: readonly string[]): Html {
  if (names.length === 0) return html`<span class="muted">none</span>`;
  const rest = names.slice(2);
  return html`<span class="names">${join(names.slice(0, 2).map(foreign), ', ')}</span>${
    rest.length === 0
      ? ''
      : html` <span class="muted" title="${rest.join(', ')}">+${rest.length}<span class="unseen"> more: ${rest.join(', ')}</span></span>`
  }`;
}

/** Why an agent cannot use a skill, and whether it is off. */
export function stateNotes({ enabled, unavailable }: SkillRow): Html {
  if (!enabled)
    return html`${badge('off', { tone: 'warn', sign: '○', title: unavailable ?? 'You turned it off' })}`;
  if (unavailable === null) return html``;
  return badge('unavailable', { tone: 'warn', sign: '!', title: unavailable });
}

/** The newest version that the last check found; null when there is none newer, or nobody asked. */
const updateOf = ({ install }: SkillRow): string | null =>
  install?.update?.latest ?? install?.update?.wanted ?? null;

/** Says that there is a newer version. */
export function updateBadge(skill: SkillRow): Html {
  const update = updateOf(skill);
  return update === null
    ? html``
    : badge(`${update} available`, { tone: 'warn', sign: '↑', title: 'skc update' });
}

/** Version, and the newer one. */
export function versionText(skill: SkillRow): Html {
  const { version } = skill;
  if (version === null && updateOf(skill) === null) return html`<span class="muted">–</span>`;
  const own = version === null ? '' : html`<span class="mono">${foreign(version)}</span>`;
  return html`<span class="row">${own}${updateBadge(skill)}</span>`;
}

/** When it was used last. */
export function usedText({ use: { last_access: last } }: SkillRow): Html {
  return last === null ? html`<span class="muted">never</span>` : day(last);
}

/** Links to the other ranges of time. */
export function rangeTabs(current: RangeName, address: (range: RangeName) => string): Html {
  return tabs(
    'Time range',
    RANGES.map((range) => ({
      label: rangeLabels[range],
      href: address(range),
      isCurrent: range === current,
    })),
  );
}

const rangeLabels: Readonly<Record<RangeName, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  all: 'All',
};

/** A number in each part of a chart. */
export function chartPoints(chart: UseChart, number: 'count' | 'tokens_served' | 'tokens_saved'): Point[] {
  return Object.entries(chart).map(([part, use]) => ({
    label: part.replace(/T(\d\d)$/, ' $1:00'),
    value: use[number],
  }));
}

/** The unit of the parts of a chart. The chart of the whole log has its last days only. */
export function chartUnit(range: RangeName): { readonly name: 'hour' | 'day'; readonly label: string } {
  const name = range === '24h' ? 'hour' : 'day';
  return { name, label: range === 'all' ? 'day, the last 30 days' : name };
}

/** A number, or a dash. */
export function countOr(value: number | null): Html {
  return value === null ? html`<span class="muted">–</span>` : html`${formatCount(value)}`;
}

/** A command about a skill; its name is quoted for a shell. */
export function commandFor(command: string, { name }: { readonly name: string }): string {
  const word = quoteWord(name);
  return name.startsWith('-') ? `skc ${command} -- ${word}` : `skc ${command} ${word}`;
}
