// Accesses as they happen, and the path each run of an agent took.

import {
  badge,
  type Column,
  commandLine,
  dayAndClock,
  emptyState,
  foreign,
  formatCount,
  type Html,
  html,
  join,
  plural,
  selectField,
  showControls,
  submit,
  table,
} from '../../pages/index.ts';
import type { ActivityView, AgentRun, ShownAccess } from '../data/read-activity.ts';
import { MAX_ROWS } from './first-rows.ts';
import { skillLink } from './skill-pieces.ts';
import { isExport, type StudioFrame, studioShell } from './studio-shell.ts';

const columns: readonly Column[] = [
  { title: 'Time (UTC)' },
  { title: 'Command' },
  { title: 'Skill' },
  { title: 'Subject' },
  { title: 'Tokens', kind: 'number' },
  { title: 'ms', kind: 'number' },
  { title: 'Error' },
  { title: 'Project' },
];

export function activityPage(view: ActivityView, frame: StudioFrame): Html {
  const { accesses, latest, runs } = view;
  const shown = accesses.slice(0, MAX_ROWS);
  const list =
    latest === 0
      ? emptyState(
          'No access yet',
          html`<div class="next-steps"><p>Reads by your agents appear here immediately. Give a client the server:</p>${commandLine('skc mcp --print-config claude', 'Command for the configuration of a client')}</div>`,
        )
      : html`<p class="muted small table-count" data-result-count>${countWords(view, shown.length)}</p>${table(
          {
            caption: 'Accesses',
            isDense: true,
            columns,
            rows: shown.map((access) => cells(access, frame)),
            empty: emptyState(
              'No access matches',
              html`<p><a href="${frame.href('/activity')}">Show all</a>.</p>`,
            ),
          },
        )}`;
  const main = html`<div class="page-head"><h1>Activity</h1><p>Every read, search and load of a skill, on the command line, over MCP and in hosts that log.</p></div>
${latest === 0 || isExport(frame) ? '' : filterForm(view, frame)}<div id="activity" data-refresh="event">${list}${runsPart(runs, frame)}</div>`;
  return studioShell(frame, { title: 'Activity', main, hasSearch: latest === 0 });
}

function filterForm({ filter, choices }: ActivityView, frame: StudioFrame): Html {
  const choice = (name: keyof typeof choices, label: string, any: string) =>
    selectField({
      ...{ name, label, value: filter[name] ?? '' },
      choices: [{ value: '', label: any }, ...choices[name].map((value) => ({ value, label: value }))],
    });
  return html`<form method="get" action="${frame.href('/activity')}" role="search" data-live="activity" class="filter-row"><div class="field filter-words"><label for="activity-q">Filter</label><input id="activity-q" type="search" name="q" value="${filter.q}" autocomplete="off" data-focus-key="/" dir="auto" placeholder="Section, file or query"></div>${choice('skill', 'Skill', 'Any skill')}${choice('agent', 'Agent', 'Any agent')}${choice('command', 'Command', 'Any command')}${selectField(
    {
      ...{ name: 'result', label: 'Result', value: filter.failed ? 'failed' : '' },
      choices: [
        { value: '', label: 'Any result' },
        { value: 'failed', label: 'Failed' },
      ],
    },
  )}${submit('Show', { kind: 'plain' })}</form><p id="live-status" class="unseen" role="status"></p>`;
}

function countWords({ accesses, latest, total, filter }: ActivityView, shown: number): Html {
  const isFiltered =
    filter.q !== '' || filter.failed || [filter.skill, filter.agent, filter.command].some(Boolean);
  const rest = shown < accesses.length ? ` The first ${formatCount(shown)} are listed.` : '';
  if (isFiltered)
    return html`${formatCount(accesses.length)} of the latest ${plural(latest, 'access', 'accesses')}.${rest}`;
  if (total <= shown) return html`Newest first. ${formatCount(total)} in the log.`;
  return html`Newest first. ${formatCount(shown)} of ${formatCount(total)}; <code>skc stats</code> adds all of them up.`;
}

/** Steps shown of one run. */
const MAX_STEPS = 12;
const MAX_RUNS = 30;

/** Each run as the path an agent took: search → outline → show. */
function runsPart(runs: readonly AgentRun[], frame: StudioFrame): Html {
  if (runs.length === 0) return html``;
  const steps = (run: AgentRun) =>
    run.steps
      .slice(0, MAX_STEPS)
      .map(
        ({ command, subject, error }) =>
          html`<span class="${error === null ? '' : 'bad-text'}"><span class="mono">${showControls(command)}</span>${subject === null ? '' : html` <q>${showControls(subject.slice(0, 60))}</q>`}</span>`,
      );
  return html`<section id="runs" class="runs" aria-labelledby="runs-heading"><h2 id="runs-heading">Runs</h2>${table(
    {
      caption: 'Runs',
      isDense: true,
      columns: [
        { title: 'Begun (UTC)' },
        { title: 'Agent' },
        { title: 'Skills' },
        { title: 'Path' },
        { title: 'Tokens', kind: 'number' },
      ],
      rows: runs.slice(0, MAX_RUNS).map((run) => [
        dayAndClock(run.first),
        html`<span class="${run.client === null ? 'muted nowrap' : ''}">${showControls(run.client ?? 'command line')}</span>`,
        join(
          run.skills.map((skill) => skillLink(skill, frame)),
          ', ',
        ),
        html`${join(steps(run), ' → ')}${run.steps.length > MAX_STEPS ? ` → ${formatCount(run.steps.length - MAX_STEPS)} more` : ''}`,
        formatCount(run.tokens),
      ]),
    },
  )}</section>`;
}

function cells(access: ShownAccess, frame: StudioFrame): Html[] {
  const { key, command, skill, skillId, subject, tokens, durationMs, error, project } = access;
  return [
    html`<span class="moment" data-key="${key}">${dayAndClock(access.timestamp)}</span>`,
    html`<span class="mono">${foreign(command)}</span>`,
    skillLink({ id: skillId, name: skill }, frame),
    subject === null ? html`` : foreign(subject),
    html`${formatCount(tokens)}`,
    html`${formatCount(Math.round(durationMs))}`,
    error === null ? html`` : badge(error, { tone: 'bad' }),
    html`<span class="mono">${foreign(project)}</span>`,
  ];
}
