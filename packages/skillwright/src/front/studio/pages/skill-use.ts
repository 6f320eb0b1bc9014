// How a skill is used: tokens over time, and everything that went wrong.

import { type CodeDefinition, codes, quoteWord } from '../../../base/diagnostics/index.ts';
import { TOKENS_SAVED } from '../../../read/usage/index.ts';
import {
  type Content,
  commandLine,
  day,
  emptyState,
  foreign,
  formatCount,
  formatShare,
  type Html,
  html,
  shareBar,
  stackedChart,
} from '../../pages/index.ts';
import type { SkillView } from '../data/read-skill.ts';
import { firstRows } from './first-rows.ts';
import { chartPoints, chartUnit, commandFor } from './skill-pieces.ts';
import { isExport, type StudioFrame } from './studio-shell.ts';

/** An export has the parts that say something. */
export function skillUse(view: SkillView, frame: StudioFrame): Html {
  const { stats } = view;
  const parts = [
    [emptySearches(stats).length, searches],
    [stats.errors.length, errors],
    [stats.quiz.length, quiz],
  ] as const;
  const shown = parts.filter(([rows]) => !isExport(frame) || rows > 0).map(([, write]) => write(view));
  return html`<div id="use" class="stack-large" data-refresh="event" data-about="${view.skill.id}">${isExport(frame) && !hasTokens(view) ? html`<p class="nothing">${unread}.</p>` : tokens(view)}${shown.length === 0 ? '' : html`<div class="pairs">${shown}</div>`}</div>`;
}

function part(
  id: string,
  { title, about, content }: { title: string; about: string; content: Content },
): Html {
  return html`<section id="${id}" class="card part" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${title}</h2><p class="muted small">${about}</p>${content}</section>`;
}

const unread = 'No agent read this skill in this time';

/** Builds and failed requests serve nothing. */
const hasTokens = ({ skill: { use } }: SkillView) => use.tokens_served !== 0 || use.tokens_saved !== 0;

function tokens(view: SkillView): Html {
  const { skill, chart, range } = view;
  const unit = chartUnit(range);
  const content = !hasTokens(view)
    ? emptyState(
        unread,
        html`<div class="next-steps"><p>Read a section as an agent would, and it appears here:</p>${commandLine(commandFor('outline', skill), 'Command for the outline')}</div>`,
      )
    : stackedChart(
        [
          { name: 'Served', points: chartPoints(chart, 'tokens_served') },
          { name: 'Saved', points: chartPoints(chart, 'tokens_saved') },
        ],
        { id: 'tokens-chart', title: `Tokens by ${unit.label}`, unit: 'tokens', size: 'wide' },
      );
  return part('tokens', {
    title: 'Tokens served and saved',
    about: `Saved: ${TOKENS_SAVED.charAt(0).toLowerCase()}${TOKENS_SAVED.slice(1)}. Sessions count in the ${unit.name} they begin.`,
    content,
  });
}

function searches({ skill, stats }: SkillView): Html {
  return part('searches', {
    title: 'Searches without result',
    about: 'Words that agents searched for and the skill does not contain. Use them in a heading.',
    content: firstRows(emptySearches(stats), {
      caption: 'Searches without result',
      columns: [{ title: 'Query' }, { title: 'Times', kind: 'number' }, { title: 'Last' }],
      cells: ({ query, zero_results: times, last_access: last }) => [
        foreign(query),
        formatCount(times),
        day(last),
      ],
      empty: nothing('Every search found something.'),
      command: commandFor('stats --group-by search', skill),
    }),
  });
}

function errors({ skill, stats }: SkillView): Html {
  return part('errors', {
    title: 'Errors',
    about: 'Requests that failed, most frequent first.',
    content: firstRows(stats.errors, {
      caption: 'Errors',
      columns: [{ title: 'Error' }, { title: 'Times', kind: 'number' }, { title: 'Last' }],
      cells: ({ error: code, command, subject, count, last_access: last }) => [
        html`<details class="why"><summary><code>${foreign(code)}</code> <span class="mono">${foreign(command)}</span>${subject === null ? '' : html` <q>${foreign(subject)}</q>`}</summary>${explanation(code, skill)}</details>`,
        formatCount(count),
        day(last),
      ],
      empty: nothing('No request failed.'),
      command: commandFor('stats --group-by errors', skill),
    }),
  });
}

/** The row of the table of codes, and the command that explains it. */
function explanation(code: string, skill: { readonly name: string }): Html {
  const known = (codes as Readonly<Record<string, CodeDefinition>>)[code];
  if (known === undefined) return html`<p class="small muted">This version does not know the code.</p>`;
  return html`<p class="small">${withCode(known.when, skill)} ${withCode(known.fix, skill)}</p>${commandLine(`skc explain ${code}`, `Command that explains ${code}`)}`;
}

/** Our own text with its code as such, and the name of the skill in place of `<skill>`. */
function withCode(text: string, { name }: { readonly name: string }): Html[] {
  return text
    .split('`')
    .map((part, at) =>
      at % 2 === 0 ? html`${part}` : html`<code>${part.replaceAll('<skill>', quoteWord(name))}</code>`,
    );
}

function quiz({ skill, stats }: SkillView): Html {
  return part('quiz', {
    title: 'Quiz questions failed',
    about: 'Questions agents get wrong point to text that is unclear.',
    content: firstRows(stats.quiz, {
      caption: 'Quiz questions',
      columns: [{ title: 'Question' }, { title: 'Failed', kind: 'number' }],
      cells: ({ question, text, asked, failed }) => [
        foreign(text ?? `Question ${question}`),
        html`${formatCount(failed)} of ${formatCount(asked)}<span class="under">${shareBar(asked === 0 ? 0 : failed / asked, 'bad')}</span><span class="unseen"> ${formatShare(asked === 0 ? 0 : failed / asked)}</span>`,
      ],
      empty: nothing('The skill has asked no quiz questions.'),
      command: commandFor('stats --group-by quiz', skill),
    }),
  });
}

/** Searches that found nothing. */
export const emptySearches = ({ search }: SkillView['stats']) =>
  search.filter(({ zero_results: times }) => times > 0);

const nothing = (text: string) => html`<p class="nothing">${text}</p>`;
