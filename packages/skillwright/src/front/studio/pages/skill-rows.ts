// The table of skills and the links to its other pages.

import {
  emptyState,
  foreign,
  formatCount,
  type Html,
  html,
  plural,
  shareBar,
  table,
} from '../../pages/index.ts';
import type { SkillsView } from '../data/read-skills.ts';
import type { SkillRow } from '../data/skill-facts.ts';
import {
  countOr,
  formBadge,
  nameWords,
  scanBadge,
  skillLink,
  stateNotes,
  usedText,
  versionText,
} from './skill-pieces.ts';
import type { StudioFrame } from './studio-shell.ts';

/** The rows of one page, with their number in words. */
export function skillRows(view: SkillsView, frame: StudioFrame): Html {
  const { skills, matching, total, filter } = view;
  const isFiltered = filter.q !== '' || filter.scope !== null || filter.verdict !== null;
  const said = isFiltered ? `${formatCount(matching)} of ${plural(total, 'skill')}` : plural(total, 'skill');
  const most = Math.max(1, ...skills.map(({ reads }) => reads));
  return html`<p class="muted small table-count" data-result-count>${said}${
    filter.pages > 1 ? `, page ${formatCount(filter.page)} of ${formatCount(filter.pages)}` : ''
  }</p>${table({
    caption: 'Skills',
    isDense: true,
    columns: [
      { title: 'Skill' },
      { title: 'Form' },
      { title: 'Agents' },
      { title: 'Tokens', kind: 'number' },
      { title: 'Scan' },
      { title: 'Version' },
      { title: 'Reads', kind: 'number' },
      { title: 'Last used' },
    ],
    rows: skills.map((skill) => row(skill, { most, frame })),
    empty: emptyState(
      'No skill matches',
      html`<p>Use fewer words, or <a href="${frame.href('/')}">show all skills</a>.</p>`,
    ),
  })}${pageLinks(view, frame)}`;
}

function row(skill: SkillRow, { most, frame }: { most: number; frame: StudioFrame }): Html[] {
  const { description, scope, tokens, stubTokens, reads } = skill;
  return [
    html`<span class="skill-name">${skillLink(skill, frame)}${scope === 'project' ? '' : html` <span class="scope">${scope}</span>`} ${stateNotes(skill)}</span><span class="skill-about">${foreign(description)}</span>`,
    formBadge(skill.form, skill.formWhy),
    nameWords(skill.agents),
    html`${countOr(tokens)}${stubTokens === null || stubTokens === tokens ? '' : html`<span class="under">${formatCount(stubTokens)} at first</span>`}`,
    scanBadge(skill.verdict),
    versionText(skill),
    html`<span data-reads-of="${skill.id}">${formatCount(reads)}</span>${reads === 0 ? '' : html`<span class="under">${shareBar(reads / most)}</span>`}`,
    html`<span data-used-of="${skill.id}">${usedText(skill.lastUsed)}</span>`,
  ];
}

function pageLinks({ filter }: SkillsView, frame: StudioFrame): Html {
  const { page, pages } = filter;
  if (pages <= 1) return html``;
  const query = (number: number) => {
    const words = new URLSearchParams();
    if (filter.q !== '') words.set('q', filter.q);
    if (filter.scope !== null) words.set('scope', filter.scope);
    if (filter.verdict !== null) words.set('verdict', filter.verdict);
    if (filter.order !== 'name') words.set('order', filter.order);
    if (number > 1) words.set('page', String(number));
    const text = words.toString();
    return frame.href(text === '' ? '/' : `/?${text}`);
  };
  const link = (number: number, { label, rel }: { label: string; rel: string }) =>
    html`<a class="button" href="${query(number)}" rel="${rel}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages">${page > 1 ? link(page - 1, { label: 'Previous page', rel: 'prev' }) : ''}${
    page < pages ? link(page + 1, { label: 'Next page', rel: 'next' }) : ''
  }</nav>`;
}
