// Which skill is chosen in place of which: the last run of `skc test --all`.

import type { EvalRun } from '../../../make/evals/index.ts';
import {
  commandLine,
  dayAndTime,
  emptyState,
  foreign,
  formatCount,
  formatShare,
  type Html,
  html,
  plural,
  table,
} from '../../pages/index.ts';
import { type StudioFrame, studioShell } from './studio-shell.ts';

/** Larger matrices do not fit a page: their wrong cells are listed. */
const MAX_GRID = 12;

export function evalsPage({ run }: { readonly run: EvalRun | null }, frame: StudioFrame): Html {
  const head = html`<div class="page-head"><h1>Evals</h1><p>Requests from the evals of all skills, judged by names and descriptions: which skill is chosen, and which should be.</p></div>`;
  const main =
    run === null
      ? html`${head}${emptyState(
          'No run yet',
          html`<div class="next-steps"><p>Run the evals of every skill:</p>${commandLine('skc test --all', 'Command that runs the evals')}</div>`,
        )}`
      : html`${head}<div class="stack-large">${sums(run)}${perSkill(run)}${confused(run)}</div>`;
  return studioShell(frame, { title: 'Evals', main });
}

const rate = (share: number | null): string => (share === null ? '-' : formatShare(share));

function sums({ at, confusion }: EvalRun): Html {
  const { requests, passed, precision, recall, held_out: heldOut } = confusion;
  return html`<section class="card" aria-labelledby="sum-heading"><div class="section-head"><h2 id="sum-heading">${formatCount(passed)} <span class="of">of ${plural(requests, 'request')} passed</span></h2><p class="muted small">${dayAndTime(at)} · precision ${rate(precision)}, recall ${rate(recall)} · held out: ${plural(heldOut.requests, 'request')}, precision ${rate(heldOut.precision)}, recall ${rate(heldOut.recall)}</p></div>${commandLine('skc test --all', 'Command that runs the evals again')}</section>`;
}

function perSkill({ confusion: { skills } }: EvalRun): Html {
  return html`<section aria-labelledby="skills-heading"><h2 id="skills-heading" class="card-title">Each skill</h2><p class="muted small">Precision: of the requests that chose it, those that should. Recall: of the requests that should choose it, those that did.</p>${table(
    {
      caption: 'Precision and recall of each skill',
      columns: [
        { title: 'Skill' },
        { title: 'Requests', kind: 'number' },
        { title: 'Chosen', kind: 'number' },
        { title: 'Wrongly chosen', kind: 'number' },
        { title: 'Precision', kind: 'number' },
        { title: 'Recall', kind: 'number' },
      ],
      rows: skills.map((one) => [
        foreign(one.skill),
        formatCount(one.requests),
        formatCount(one.chosen),
        formatCount(one.wrongly_chosen),
        rate(one.precision),
        rate(one.recall),
      ]),
    },
  )}</section>`;
}

function confused({ confusion: { cells } }: EvalRun): Html {
  const chosen = [...new Set(cells.map((cell) => cell.chosen))];
  const expected = [...new Set(cells.map((cell) => cell.expected))];
  const nameOf = (name: string | null, other: string) => (name === null ? other : foreign(name));
  const wrong = cells.filter((cell) => cell.expected !== null && cell.expected !== cell.chosen);
  const body =
    chosen.length <= MAX_GRID
      ? table({
          caption: 'Chosen skills by the skill that should be chosen',
          columns: [
            { title: 'Should be chosen' },
            ...chosen.map((name) => ({ title: name ?? 'none', kind: 'number' as const })),
          ],
          rows: expected.map((row) => [
            nameOf(row, 'another or none'),
            ...chosen.map((column) => {
              const cell = cells.find((one) => one.expected === row && one.chosen === column);
              return cell === undefined ? '' : formatCount(cell.requests);
            }),
          ]),
        })
      : table({
          caption: 'Requests that chose another skill',
          columns: [
            { title: 'Should be chosen' },
            { title: 'Chosen' },
            { title: 'Requests', kind: 'number' },
          ],
          rows: wrong.map((cell) => [
            nameOf(cell.expected, ''),
            nameOf(cell.chosen, 'none'),
            formatCount(cell.requests),
          ]),
          empty: html`<p>Every request chose its skill.</p>`,
        });
  return html`<section aria-labelledby="matrix-heading"><h2 id="matrix-heading" class="card-title">Confusion matrix</h2>${body}</section>`;
}
