// Writes a report as Markdown: a page for files, and a comment for pull requests.

import { cutText, formatCount, formatPlace, makeVisible } from '../../base/diagnostics/index.ts';
import { abilityTitles } from '../pages/index.ts';
import type { ReportedSkill, SkillReport } from './report.ts';
import {
  type Line,
  type Piece,
  type ReportDocument,
  type ReportEntry,
  type ReportSection,
  reportDocument,
} from './report-document.ts';

/** First line of a report in Markdown; the next report may replace the file. */
export const MARKDOWN_MARK = '<!-- skc report -->';

/** The whole report. */
export function renderReportMarkdown(report: SkillReport): string {
  const document = reportDocument(report);
  const { title, project, generated_at, tool, sections, entries } = document;
  return `${[
    MARKDOWN_MARK,
    '',
    `# ${title}`,
    '',
    `${markdownCode(project)}, ${generated_at.slice(0, 10)}, ${tool}.`,
    '',
    ...headLines(document),
    ...sections.flatMap((section) => sectionLines(section, '##')),
    '## Details',
    '',
    ...entries.flatMap((entry) => [
      `### ${markdownCode(entry.skill.path)}`,
      '',
      ...entryLines(entry, Number.POSITIVE_INFINITY),
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

/** Figures, and the result of `--fail-on`. */
function headLines({ figures, gate, failing }: ReportDocument): string[] {
  const said = figures.flatMap(({ words }) => words ?? []).join(' · ');
  const [word = '', ...flags] = gate?.split(' ') ?? [];
  const names = failing.slice(0, 20).map((path) => markdownCode(path));
  const rest = failing.length > 20 ? ` and ${failing.length - 20} more` : '';
  const result =
    failing.length === 0
      ? `${word} \`${flags.join(' ')}\`.`
      : `**${word} \`${flags.join(' ')}\`:** ${names.join(', ')}${rest}.`;
  return [`${said}.`, '', ...(gate === null ? [] : [result, ''])];
}

function sectionLines({ title, content, note }: ReportSection, heading: string): string[] {
  const body =
    'items' in content
      ? content.items.map((item) => `- ${write(item)}`)
      : content.rows.length === 0
        ? [`${content.empty}.`]
        : tableLines(
            content.columns.map((column) => column.title.toLowerCase()),
            content.rows.map((cells) => cells.map(write)),
          );
  return [`${heading} ${title}`, '', ...body, '', ...(note === undefined ? [] : [write(note), ''])];
}

const tableLines = (titles: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${titles.join(' | ')} |`,
  `|${'---|'.repeat(titles.length)}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
];

/** A line of Markdown, also inside a cell. */
const write = (line: Line): string => line.map(pieceMarkdown).join('');

function pieceMarkdown(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('words' in piece) return plain(piece.words);
  if ('quote' in piece) return markdownCode(piece.quote, piece.most);
  if ('place' in piece) return markdownCode(piece.place);
  if ('strong' in piece) return `**${write(piece.strong)}**`;
  if ('mark' in piece) return `**${plain(piece.title ?? piece.mark)}**`;
  if ('day' in piece) return piece.day.slice(0, 10);
  if ('skill' in piece) return markdownCode(piece.skill.path);
  if ('verdict' in piece) return verdictWords(piece.verdict);
  if ('trust' in piece) return trustWords(piece.trust);
  const words = piece.abilities.map(({ word, isDeclared }) => (isDeclared ? word : `**${word}**`));
  return words.join(', ') || 'nothing found';
}

const verdictWords = ({ verdict, verdict_of_all: all }: ReportedSkill): string =>
  verdict === 'clean'
    ? all === 'clean'
      ? 'clean'
      : `clean (${all} with accepted findings)`
    : `**${verdict}**`;

function trustWords({ score, factors, cap }: ReportedSkill['trust']): string {
  const earned = factors
    .filter(({ points }) => points > 0)
    .map(({ factor, points }) => `${factor} ${points}`);
  return `${score} of 100 (${earned.join(', ')})${cap === null ? '' : `; at most ${cap.at}: ${cap.reason}`}`;
}

/** Everything about one skill, with at most so many findings of each kind. */
function entryLines({ skill, facts }: ReportEntry, most: number): string[] {
  const { findings, locked } = skill;
  return [
    ...(locked ? ['A quiz locks this skill: nothing of it is quoted.', ''] : []),
    ...facts.flatMap(({ title, line, points = [] }) => [
      `- ${title}: ${write(line)}`.trimEnd(),
      ...firstOf(points.map(write), most).map((point) => `  - ${point}`),
    ]),
    '',
    ...(findings.length === 0
      ? []
      : [
          ...tableLines(
            ['finding', 'where', 'what', 'accepted'],
            findings
              .slice(0, most)
              .map((finding) => [
                `${finding.severity} ${finding.rule}`,
                markdownCode(formatPlace(finding.file, finding.line)),
                `${markdownCode(finding.message)}${finding.excerpt === null ? '' : ` ${markdownCode(finding.excerpt, 120)}`}`,
                finding.accepted === null ? 'no' : plain(finding.accepted.by),
              ]),
          ),
          ...(findings.length > most ? [`| … and ${findings.length - most} more | | | |`] : []),
          '',
        ]),
    ...abilityLines(skill, most),
  ];
}

function abilityLines({ abilities }: ReportedSkill, most: number): string[] {
  const rows = abilities.flatMap(({ kind, declared, found }) => {
    if (declared.length + found.length === 0) return [];
    const shown = found.map((one) => {
      const times = one.count > 1 ? ` ×${one.count}` : '';
      const place = one.file === null ? '' : ` in ${markdownCode(formatPlace(one.file, one.line), 80)}`;
      const mark = one.declared || declared.length === 0 ? '' : '**not declared:** ';
      return `${mark}${markdownCode(one.what, 60)}${times}${place}`;
    });
    const said = declared.map((one) => markdownCode(one, 100));
    return [
      [
        abilityTitles[kind],
        firstOf(said, most).join(', ') || '**nothing**',
        firstOf(shown, most).join(', ') || 'nothing',
      ],
    ];
  });
  return rows.length === 0 ? [] : tableLines(['can do', 'declared', 'found'], rows);
}

const firstOf = (parts: readonly string[], most: number): string[] => [
  ...parts.slice(0, most),
  ...(parts.length > most ? [`… and ${parts.length - most} more`] : []),
];

/** First line of a comment: a bot finds its own comment by it. */
export const COMMENT_MARK = '<!-- skc-report-comment -->';

/** Forges refuse longer comments. */
const MAX_COMMENT = 65_000;
const MAX_FINDINGS = 5;

/** A comment for a pull request: what is new first, details folded, short enough for every forge. */
export function renderReportComment(report: SkillReport): string {
  const document = reportDocument(report);
  const { title, failed, undecided, comparedWith, sections, entries, tool } = document;
  const isTold = ({ skill: { decision, change } }: ReportEntry) =>
    decision.state === 'needed' || (comparedWith !== null && (change === 'new' || change === 'changed'));
  const sign = failed ? '❌' : undecided.length + report.counts.broken > 0 ? '⚠️' : '✅';
  const lines = [COMMENT_MARK, `## ${sign} ${title}`, '', ...headLines(document)];
  const foot = `<sub>${tool}; the whole report: \`skc report --output report.html\`</sub>`;
  let room = MAX_COMMENT - [...lines, foot].join('\n').length - 200;
  let left = 0;
  const put = (block: readonly string[]): void => {
    const length = block.join('\n').length + 1;
    if (left > 0 || length > room) left++;
    else {
      lines.push(...block);
      room -= length;
    }
  };
  for (const section of sections)
    if (section.isWhole !== true) for (const line of sectionLines(section, '###')) put([line]);
  const hidden = left;
  for (const entry of entries.filter(isTold))
    put([
      '<details>',
      `<summary>${plain(entry.skill.path)}: ${entry.skill.verdict}</summary>`,
      '',
      ...entryLines(entry, MAX_FINDINGS),
      '',
      '</details>',
      '',
    ]);
  if (left > 0)
    lines.push(
      '',
      `**Cut:** ${hidden > 0 ? `${formatCount(hidden, 'line')} and the details` : `the details of ${formatCount(left, 'skill')}`} did not fit into a comment.`,
      '',
    );
  return `${[...lines, foot].join('\n')}\n`;
}

// Untrusted text inside our Markdown: no links, images, mentions, HTML, or ends of tables and fences.

const MAX = 300;
/** Characters without a width, which could split a word that is looked for. */
const unseen = /[\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** Untrusted text as code on one line: forges read nothing in it. Empty text stays empty. */
export function markdownCode(text: string, max: number = MAX): string {
  const shown = cutLine(text, max).replaceAll('`', "'").replaceAll('|', '¦');
  return shown === '' ? '' : `\`${shown}\``;
}

/**
 * Untrusted text as words: letters, digits and harmless signs pass, the rest is written as entities. A space without a width
 * keeps forges from reading mentions, references and addresses, which they look for after entities are decoded.
 */
function plain(text: string, max: number = MAX): string {
  return cutLine(text, max)
    .replace(/[^\p{L}\p{N} .,;:!?/'"()%+=-]/gu, (sign) => `&#${sign.codePointAt(0)};&#8203;`)
    .replace(/(https?|www)(?=[:.])/gi, '$1&#8203;');
}

const cutLine = (text: string, max: number): string => {
  const line = makeVisible(text.replace(unseen, '').replace(/\s+/g, ' ').trim());
  return cutText(line, max);
};
