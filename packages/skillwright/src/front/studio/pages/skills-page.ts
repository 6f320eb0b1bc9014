// The first page: totals, use over time, and all skills.

import {
  barChart,
  commandLine,
  emptyState,
  foreign,
  formatCount,
  formatShare,
  type Html,
  html,
  notice,
  plural,
  selectField,
  shareBar,
  submit,
  table,
  verdictBadge,
} from '../../pages/index.ts';
import type { SkillsView } from '../data/read-skills.ts';
import type { ShownVerdict, SkillRow } from '../data/skill-facts.ts';
import {
  countOr,
  dailyPoints,
  formBadge,
  nameWords,
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
<div class="stack-large">${problems(view)}${overview(view, frame)}${skillList(view, frame)}</div>`;
  return studioShell(frame, { title: 'Skills', main, hasSearch: total === 0 });
}

function noSkills(): Html {
  return emptyState(
    'No skills here yet',
    html`<div class="next-steps"><p>Write one of your own:</p>${commandLine('skc init my-skill', 'Command for a new skill')}<p>Or look what others have:</p>${commandLine('skc find --remote pdf', 'Command that searches registries')}</div>`,
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

function overview({ totals, days, total }: SkillsView, frame: StudioFrame): Html {
  const { count, tokens_served: served, tokens_saved: saved, updates, byVerdict } = totals;
  const figure = (label: string, value: number, note: Html | string = '') =>
    html`<div><dt>${label}</dt><dd>${formatCount(value)}</dd>${note === '' ? '' : html`<dd class="note">${note}</dd>`}</div>`;
  const share =
    served + saved === 0 ? '' : `${formatShare(saved / (served + saved))} of what whole skills would cost`;
  return html`<section id="overview" class="overview" aria-label="Overview" data-refresh="event"><div class="card"><h2 class="card-title">Accesses a day</h2>${
    count === 0
      ? emptyState(
          'No agent has read a skill yet',
          html`<div class="next-steps"><p>Give your agent the server, then ask it for a task:</p>${commandLine('skc mcp --print-config claude', 'Command for the configuration of a client')}</div>`,
        )
      : barChart(dailyPoints(frame.readAt, days), {
          id: 'accesses',
          title: 'Accesses a day',
          unit: 'accesses',
          size: 'wide',
        })
  }</div><div class="card bare"><dl class="totals">${figure('Accesses', count)}${figure('Tokens served', served)}${figure('Tokens saved', saved, share)}${figure('Failed requests', totals.error_count)}${figure('Searches without result', totals.zero_results)}${figure('Updates', updates, updates === 0 ? '' : html`<code>skc update</code>`)}</dl>${verdictSplit(byVerdict, { total, frame })}</div></section>`;
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
  { value: 'tokens', label: 'Most tokens' },
  { value: 'verdict', label: 'Worst verdict' },
];

function skillList(view: SkillsView, frame: StudioFrame): Html {
  const { filter } = view;
  const rows = html`<div id="skills" data-refresh="return">${skillRows(view, frame)}</div>`;
  if (isExport(frame))
    return html`<section aria-labelledby="all-skills"><h2 id="all-skills" class="unseen">All skills</h2>${rows}</section>`;
  return html`<section aria-labelledby="all-skills"><h2 id="all-skills" class="unseen">All skills</h2>
<form method="get" action="${frame.href('/')}" role="search" data-live="skills" class="filter-row"><div class="field filter-words"><label for="skills-q">Filter</label><input id="skills-q" type="search" name="q" value="${filter.q}" autocomplete="off" data-focus-key="/" dir="auto" placeholder="Name or description"></div>${selectField({ name: 'scope', label: 'Where', choices: scopes, value: filter.scope ?? '' })}${selectField({ name: 'verdict', label: 'Scan', choices: verdicts, value: filter.verdict ?? '' })}${selectField({ name: 'order', label: 'Sort by', choices: orders, value: filter.order })}${submit('Show', { kind: 'plain' })}</form>
<p id="live-status" class="unseen" role="status"></p>${rows}</section>`;
}

// How many skills have which verdict, as one bar with a legend.

const order: readonly { readonly verdict: ShownVerdict; readonly tone: string }[] = [
  { verdict: 'danger', tone: 'bad' },
  { verdict: 'caution', tone: 'warn' },
  { verdict: 'unknown', tone: 'neutral' },
  { verdict: 'clean', tone: 'good' },
];

function verdictSplit(
  counts: Readonly<Record<ShownVerdict, number>>,
  { total, frame }: { total: number; frame: StudioFrame },
): Html {
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
  const said = isFiltered ? `${formatCount(matching)} of ${plural(total, 'skill')}` : plural(total, 'skill');
  const most = Math.max(1, ...skills.map(({ use }) => use.count));
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
    html`${countOr(tokens)}${stub === null || stub === tokens ? '' : html`<span class="under">${formatCount(stub)} at first</span>`}`,
    verdictBadge(skill.verdict),
    versionText(skill),
    html`<span data-reads-of="${skill.id}">${formatCount(use.count)}</span>${use.count === 0 ? '' : html`<span class="under">${shareBar(use.count / most)}</span>`}`,
    html`<span data-used-of="${skill.id}">${usedText(skill)}</span>`,
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
