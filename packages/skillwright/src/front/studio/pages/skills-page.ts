// The first page: totals, use over time, and all skills.

import { TOKENS_SAVED } from '../../../read/usage/index.ts';
import {
  badge,
  barChart,
  commandLine,
  emptyState,
  foreign,
  formatCount,
  type Html,
  html,
  join,
  notice,
  plural,
  selectField,
  shareBar,
  submit,
  type Tone,
  table,
  verdictBadge,
} from '../../pages/index.ts';
import type { AttentionItem } from '../data/read-attention.ts';
import type { SkillsView } from '../data/read-skills.ts';
import type { ShownVerdict, SkillRow } from '../data/skill-facts.ts';
import type { RangeName, UseCount } from '../data/usage-counts.ts';
import {
  chartPoints,
  chartUnit,
  countOr,
  formBadge,
  nameWords,
  rangeTabs,
  skillLink,
  stateNotes,
  usedText,
  versionText,
} from './skill-pieces.ts';
import { isExport, type StudioFrame, studioShell } from './studio-shell.ts';

export function skillsPage(view: SkillsView, frame: StudioFrame): Html {
  const { total } = view;
  const main =
    total === 0 && view.problems.length === 0
      ? html`<div class="page-head"><h1>Skills</h1></div>${noSkills()}`
      : html`<div class="page-head"><h1>Skills</h1><p class="mono">${foreign(frame.place)}</p></div>
<div class="stack-large">${problems(view)}${attention(view, frame)}${overview(view, frame)}${skillList(view, frame)}</div>`;
  return studioShell(frame, { title: 'Skills', main, hasSearch: total === 0 });
}

function noSkills(): Html {
  return emptyState(
    'No skills here yet',
    html`<div class="next-steps"><p>Write one of your own:</p>${commandLine('skc init my-skill', 'Command for a new skill')}<p>Or search the registries:</p>${commandLine('skc find --remote pdf', 'Command that searches registries')}</div>`,
  );
}

function problems({ problems: found }: SkillsView): Html {
  if (found.length === 0) return html``;
  return notice('warn', {
    title: `${plural(found.length, 'skill')} could not be read`,
    body: html`<ul>${found.slice(0, 20).map(({ place, why }) => html`<li><span class="mono">${foreign(place)}</span>: ${foreign(why)}</li>`)}</ul>${
      found.length > 20 ? html`<p>And ${formatCount(found.length - 20)} more.</p>` : ''
    }<p><code>skc doctor</code> looks closer and repairs what it can.</p>`,
  });
}

/** The first thing to look at: each point has its command. */
function attention({ attention: items }: SkillsView, frame: StudioFrame): Html {
  const list =
    items.length === 0
      ? html`<p class="nothing">Nothing needs your attention.</p>`
      : html`<ul class="attention">${items.map(
          ({ kind, title, skills, count, command }) =>
            html`<li>${badge(attentionWords[kind].label, { tone: attentionWords[kind].tone })} <span class="attention-title">${title}</span>${
              skills.length === 0
                ? ''
                : html`<span class="small muted">${join(
                    skills.map((skill) => skillLink(skill, frame)),
                    ', ',
                  )}${count > skills.length ? ` and ${formatCount(count - skills.length)} more` : ''}</span>`
            }<code>${command}</code></li>`,
        )}</ul>`;
  return html`<section id="attention" class="card" aria-labelledby="attention-heading" data-refresh="settled"><h2 id="attention-heading" class="card-title">Needs attention</h2>${list}</section>`;
}

const attentionWords: Readonly<Record<AttentionItem['kind'], { label: string; tone: Tone }>> = {
  danger: { label: 'danger', tone: 'bad' },
  evals: { label: 'evals', tone: 'warn' },
  listing: { label: 'budget', tone: 'warn' },
  searches: { label: 'search', tone: 'warn' },
  outdated: { label: 'update', tone: 'accent' },
  unread: { label: 'unused', tone: 'neutral' },
};

const periodWords: Readonly<Record<RangeName, string>> = {
  '24h': 'in the last 24 hours',
  '7d': 'in the last 7 days',
  '30d': 'in the last 30 days',
  all: 'since the log began',
};

function overview(view: SkillsView, frame: StudioFrame): Html {
  const { totals, before, chart, filter } = view;
  const { range } = filter;
  const figure = (label: string, count: (use: UseCount) => number) => {
    const then = before === null ? '' : html`<dd class="note">${formatCount(count(before))} before</dd>`;
    return html`<div><dt>${label}</dt><dd>${formatCount(count(totals))}</dd>${then}</div>`;
  };
  const unit = chartUnit(range);
  const updates = totals.updates;
  return html`<section id="overview" class="overview" aria-label="Overview" data-refresh="event"><div class="card">${
    isExport(frame) ? '' : rangeTabs(range, (one) => listAddress(view, frame, { range: one, page: 1 }))
  }<h2 class="card-title">Accesses by ${unit.label}</h2>${
    totals.count === 0
      ? emptyState(
          `No agent read a skill ${periodWords[range]}`,
          html`<div class="next-steps"><p>Give your agent the server, then ask it for a task:</p>${commandLine('skc mcp --print-config claude', 'Command for the configuration of a client')}</div>`,
        )
      : barChart(chartPoints(chart, 'count'), {
          id: 'accesses',
          title: `Accesses by ${unit.label}`,
          unit: 'accesses',
          labelTitle: unit.name === 'hour' ? 'Hour' : 'Day',
          size: 'wide',
        })
  }</div><div class="card bare"><p class="muted small">${
    before === null
      ? 'Since the log began.'
      : `${periodWords[range].replace('in the', 'The')}, in UTC, and the same time before.`
  }</p><dl class="totals">${figure('Accesses', ({ count }) => count)}${figure('Reads', ({ reads }) => reads)}${figure('Tokens served', ({ tokens_served: served }) => served)}${figure('Tokens saved', ({ tokens_saved: saved }) => saved)}${figure('Failed requests', ({ error_count: errors }) => errors)}${figure('Searches without result', ({ zero_results: empty }) => empty)}<div><dt>Updates</dt><dd>${formatCount(updates)}</dd>${updates === 0 ? '' : html`<dd class="note"><code>skc update</code></dd>`}</div></dl><p class="muted small">Tokens saved: ${TOKENS_SAVED.charAt(0).toLowerCase()}${TOKENS_SAVED.slice(1)}.</p>${verdictSplit(view, frame)}</div></section>`;
}

const scopes = [
  { value: '', label: 'Everywhere' },
  { value: 'project', label: 'Project' },
  { value: 'user', label: 'User' },
  { value: 'bundled', label: 'Bundled' },
];
const verdicts = [
  { value: '', label: 'Any verdict' },
  { value: 'clean', label: 'Clean' },
  { value: 'caution', label: 'Caution' },
  { value: 'danger', label: 'Danger' },
  { value: 'unknown', label: 'Not scanned' },
];
const orders = [
  { value: 'name', label: 'Name' },
  { value: 'reads', label: 'Most read' },
  { value: 'used', label: 'Last used' },
  { value: 'tokens', label: 'Most tokens' },
  { value: 'verdict', label: 'Worst verdict' },
];

function skillList(view: SkillsView, frame: StudioFrame): Html {
  const { filter } = view;
  const rows = html`<div id="skills" data-refresh="event">${skillRows(view, frame)}</div>`;
  if (isExport(frame))
    return html`<section aria-labelledby="all-skills"><h2 id="all-skills" class="unseen">All skills</h2>${rows}</section>`;
  return html`<section aria-labelledby="all-skills"><h2 id="all-skills" class="unseen">All skills</h2>
<form method="get" action="${frame.href('/')}" role="search" data-live="skills" class="filter-row"><div class="field filter-words"><label for="skills-q">Filter</label><input id="skills-q" type="search" name="q" value="${filter.q}" autocomplete="off" data-focus-key="/" dir="auto" placeholder="Name or description"></div>${selectField({ name: 'scope', label: 'Where', choices: scopes, value: filter.scope ?? '' })}${selectField({ name: 'verdict', label: 'Scan', choices: verdicts, value: filter.verdict ?? '' })}${selectField({ name: 'order', label: 'Sort by', choices: orders, value: filter.order })}<input type="hidden" name="range" value="${filter.range}">${submit('Show', { kind: 'plain' })}</form>
<p id="live-status" class="unseen" role="status"></p>${rows}</section>`;
}

// How many skills have which verdict, as one bar with a legend.

const order: readonly { readonly verdict: ShownVerdict; readonly tone: string }[] = [
  { verdict: 'danger', tone: 'bad' },
  { verdict: 'caution', tone: 'warn' },
  { verdict: 'unknown', tone: 'neutral' },
  { verdict: 'clean', tone: 'good' },
];

function verdictSplit({ totals: { byVerdict: counts }, total }: SkillsView, frame: StudioFrame): Html {
  const whole = Math.max(1, total);
  let from = 0;
  const parts = order.map(({ verdict, tone }) => {
    const width = (counts[verdict] / whole) * 100;
    const x = from;
    from += width;
    return width === 0
      ? ''
      : html`<rect class="tone-${tone}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`;
  });
  const said = order.map(({ verdict }) => `${verdict} ${formatCount(counts[verdict])}`).join(', ');
  const entry = (verdict: ShownVerdict) => {
    const content = html`${verdictBadge(verdict)} <span class="count">${formatCount(counts[verdict])}</span>`;
    return html`<li>${isExport(frame) ? content : html`<a href="${frame.href(`/?verdict=${verdict}`)}">${content}</a>`}</li>`;
  };
  return html`<div class="split"><svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="Verdicts of ${formatCount(total)} skills: ${said}">${parts}</svg><ul aria-label="Skills by verdict">${order
    .filter(({ verdict }) => counts[verdict] > 0)
    .map(({ verdict }) => entry(verdict))}</ul></div>`;
}

// The table of skills and the links to its other pages.

/** The rows of one page, with their number in words. */
function skillRows(view: SkillsView, frame: StudioFrame): Html {
  const { skills, matching, total, filter } = view;
  const isFiltered = filter.q !== '' || filter.scope !== null || filter.verdict !== null;
  const { unknown } = view.totals.byVerdict;
  const waiting = filter.verdict === null || unknown === 0 ? '' : `; ${formatCount(unknown)} not scanned yet`;
  const said = isFiltered
    ? `${formatCount(matching)} of ${plural(total, 'skill')}${waiting}`
    : plural(total, 'skill');
  const most = Math.max(1, ...skills.map(({ use }) => use.reads));
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
  const { description, scope, tokens, stub_tokens: stub, use } = skill;
  return [
    html`<span class="skill-name">${skillLink(skill, frame)}${scope === 'project' ? '' : html` <span class="scope">${scope}</span>`} ${stateNotes(skill)}</span><span class="skill-about">${foreign(description)}</span>`,
    formBadge(skill.form, skill.why),
    nameWords(skill.agents),
    html`${countOr(tokens)}${stub === null || stub === tokens ? '' : html`<span class="under">${formatCount(stub)} in its stub</span>`}`,
    verdictBadge(skill.verdict),
    versionText(skill),
    html`${formatCount(use.reads)}${use.reads === 0 ? '' : html`<span class="under">${shareBar(use.reads / most)}</span>`}`,
    usedText(skill),
  ];
}

/** The address of the list with other choices. */
function listAddress(
  { filter }: SkillsView,
  frame: StudioFrame,
  change: { readonly page?: number; readonly range?: RangeName },
): string {
  const { q, scope, verdict, order, page, range } = { ...filter, ...change };
  const words = new URLSearchParams();
  if (q !== '') words.set('q', q);
  if (scope !== null) words.set('scope', scope);
  if (verdict !== null) words.set('verdict', verdict);
  if (order !== 'name') words.set('order', order);
  if (range !== '30d') words.set('range', range);
  if (page > 1) words.set('page', String(page));
  const text = words.toString();
  return frame.href(text === '' ? '/' : `/?${text}`);
}

function pageLinks(view: SkillsView, frame: StudioFrame): Html {
  const { page, pages } = view.filter;
  if (pages <= 1) return html``;
  const link = (number: number, { label, rel }: { label: string; rel: string }) =>
    html`<a class="button" href="${listAddress(view, frame, { page: number })}" rel="${rel}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages">${page > 1 ? link(page - 1, { label: 'Previous page', rel: 'prev' }) : ''}${
    page < pages ? link(page + 1, { label: 'Next page', rel: 'next' }) : ''
  }</nav>`;
}
