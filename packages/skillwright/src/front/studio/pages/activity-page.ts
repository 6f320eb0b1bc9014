// Accesses as they happen. The script adds rows from the same template.

import {
  type Column,
  commandLine,
  dayAndClock,
  emptyState,
  formatCount,
  type Html,
  html,
  join,
  showControls,
  table,
  tableRow,
} from '../../pages/index.ts';
import type { ActivityView, AgentRun, ShownAccess } from '../data/read-activity.ts';
import { skillPath } from '../data/show-place.ts';
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

export function activityPage({ accesses, total, runs }: ActivityView, frame: StudioFrame): Html {
  const shown = accesses.slice(0, MAX_ROWS);
  const none = shown.length === 0;
  const empty = html`<div data-nothing-happened${none ? '' : html` hidden`}>${emptyState(
    'No access yet',
    html`<div class="next-steps"><p>Reads of your agents appear here at once. Give a client the server:</p>${commandLine('skc mcp --print-config claude', 'Command for the configuration of a client')}</div>`,
  )}</div>`;
  const list = html`<div data-happenings${none ? html` hidden` : ''}><p class="muted small table-count">Newest first. ${rest(shown.length, total)}</p>${table(
    { caption: 'Accesses', isDense: true, columns, rows: shown.map((access) => cells(access, frame)) },
  )}</div>`;
  const template = isExport(frame)
    ? ''
    : html`<template id="happening-row"><table><tbody>${tableRow(cells(blank, frame), columns)}</tbody></table></template>`;
  const main = html`<div class="page-head"><h1>Activity</h1><p>Every read, search and load of a skill, on the command line, over MCP and in hosts that log.</p></div>
<div id="activity" data-refresh="return">${empty}${list}</div>${template}${runsPart(runs, frame)}`;
  return studioShell(frame, { title: 'Activity', main });
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
  return html`<section id="runs" class="runs" aria-labelledby="runs-heading" data-refresh="return"><h2 id="runs-heading">Runs</h2>${table(
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
        run.client === null ? html`<span class="muted">command line</span>` : showControls(run.client),
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

function rest(shown: number, total: number): Html {
  const count = html`<span data-happened="${total}">${formatCount(total)}</span>`;
  if (total <= shown) return html`${count} in the log.`;
  return html`${formatCount(shown)} of ${count}; <code>skc stats</code> adds all of them up.`;
}

/** Every field is there, so that the script has a place for each. */
const blank: ShownAccess = {
  key: '',
  timestamp: '2026-01-01T00:00:00.000Z',
  command: '',
  skill: '',
  skillId: '',
  subject: '',
  tokens: 0,
  durationMs: 0,
  error: '',
  project: '',
  run: '',
  client: '',
};

function cells(access: ShownAccess, frame: StudioFrame): Html[] {
  const { key, command, skill, skillId, subject, tokens, durationMs, error, project } = access;
  const field = (name: keyof ShownAccess, text: string | null, kind = '') =>
    text === null
      ? html``
      : html`<bdi dir="auto" class="${kind}" data-field="${name}">${showControls(text)}</bdi>`;
  const address = skillId === null ? '#' : frame.href(skillPath(skillId));
  const name =
    address === '#'
      ? field('skill', skill)
      : html`<a href="${address}" dir="auto" data-field="skill">${showControls(skill)}</a>`;
  return [
    html`<span class="moment" data-key="${key}">${dayAndClock(access.timestamp)}</span>`,
    field('command', command, 'mono'),
    name,
    field('subject', subject),
    html`<span data-field="tokens">${formatCount(tokens)}</span>`,
    html`<span data-field="durationMs">${formatCount(Math.round(durationMs))}</span>`,
    field('error', error, 'badge bad'),
    field('project', project, 'mono'),
  ];
}
