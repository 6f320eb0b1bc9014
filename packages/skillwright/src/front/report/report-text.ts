// Writes a report for a terminal: the sentence, what needs a decision, what is new.

import { formatCount, makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import type { ReportedSkill, SkillReport } from './report.ts';
import {
  abilitiesIn,
  decisionOf,
  type Line,
  mainReason,
  type Piece,
  reportDocument,
} from './report-document.ts';

const MAX_ROWS = 20;

/** The summary for people. */
export function renderReportText(report: SkillReport, paint: Paint): string {
  const { title, undecided, entries, sections, gate, failing, checked } = reportDocument(report);
  const { counts, baseline, output } = report;
  const write = (line: Line) => line.map((piece) => pieceText(piece, paint)).join('');
  const broken = entries.filter(({ skill }) => skill.decision.agents === 'broken');
  const lists = sections.flatMap(({ content, isWhole }) => ('items' in content || isWhole ? [] : [content]));
  const problems = sections.flatMap(({ content }) => ('items' in content ? content.items : []));
  const since = baseline === null ? [] : (lists.at(-1)?.rows ?? []);
  const beyond = counts.undeclared;
  const lines = [
    paint.strong(title),
    ...firstRows(undecided.map((skill) => decisionLines(skill, paint))),
    ...firstRows(
      broken.map(({ skill }) => {
        const why = skill.lint.findings.find(({ severity }) => severity === 'error')?.message ?? '';
        return [`  ${paint.error('broken')}  ${makeVisible(skill.path)}: ${makeVisible(why)}`];
      }),
    ),
    ...problems.map((line) => `  ${write(line)}`),
    `${counts.danger} danger, ${counts.caution} caution, ${counts.clean} clean${counts.accepted === 0 ? '' : ` (${counts.accepted} accepted)`}${counts.locked === 0 ? '' : `, ${counts.locked} locked`}`,
    ...(beyond === 0 ? [] : [`${formatCount(beyond, 'skill')} with undeclared abilities`]),
    ...(counts.unlicensed === 0 ? [] : [`${formatCount(counts.unlicensed, 'skill')} without a licence`]),
    ...(counts.refused === 0
      ? []
      : [`${formatCount(counts.refused, 'skill')} with a licence that report.licences refuses`]),
    `checked ${checked}`,
    ...(baseline === null
      ? []
      : [since.length === 0 ? 'nothing changed since the baseline' : 'since the baseline:']),
    ...firstRows(
      since.map(([skill = [], change = [], , what = []]) => [
        `  ${write(change).padEnd(9)}${[write(skill), write(what)].filter((text) => text !== '').join(': ')}`,
      ]),
    ),
    ...(baseline?.written === true ? [`wrote ${makeVisible(baseline.path)}`] : []),
    ...(gate === null
      ? []
      : failing.length === 0
        ? [paint.good(gate.toLowerCase())]
        : [paint.error(`${gate.toLowerCase()}: ${failing.map(makeVisible).join(', ')}`)]),
    ...(output === null ? [] : [`wrote ${makeVisible(output)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function decisionLines(skill: ReportedSkill, paint: Paint): string[] {
  const can = abilitiesIn(skill);
  const beyond = can.filter(({ isDeclared }) => !isDeclared).map(({ word }) => word);
  const marked = beyond.length === can.length ? 'not declared' : `not declared: ${beyond.join(', ')}`;
  const names = can.map(({ word }) => word).join(', ');
  const word = skill.verdict === 'danger' ? paint.error(skill.verdict) : paint.warning(skill.verdict);
  return [
    `  ${word}  ${makeVisible(skill.path)}: ${makeVisible(decisionOf(skill))}`,
    ...(mainReason(skill) === '' ? [] : [`      ${makeVisible(mainReason(skill))}`]),
    ...(can.length === 0
      ? []
      : [`      ${paint.faint(`can use ${names}${beyond.length === 0 ? '' : ` (${marked})`}`)}`]),
  ];
}

function firstRows(rows: readonly (readonly string[])[]): string[] {
  const rest = rows.length - MAX_ROWS;
  return [...rows.slice(0, MAX_ROWS).flat(), ...(rest > 0 ? [`  … and ${rest} more`] : [])];
}

function pieceText(piece: Piece, paint: Paint): string {
  if (typeof piece === 'string') return piece;
  if ('quote' in piece) return makeVisible(piece.quote);
  if ('mark' in piece) return piece.tone === 'bad' ? `${paint.error(piece.mark)} ` : piece.mark;
  if ('skill' in piece) return makeVisible(piece.skill.path);
  return 'abilities' in piece ? piece.abilities.map(({ word }) => word).join(', ') : '';
}
