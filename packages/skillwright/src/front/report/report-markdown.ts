// A report as Markdown: a page for files, and a comment for pull requests.

import { formatCount, formatPlace, makeVisible } from '../../base/diagnostics/index.ts';
import { ABILITY_KINDS } from '../../guard/scan/index.ts';
import { type ReportedSkill, type SkillReport, undeclaredOf } from './report.ts';
import {
  abilitiesIn,
  abilityTitles,
  agentWords,
  decisionOf,
  findingPlace,
  licenceOf,
  mainReason,
  originOf,
  sizeWords,
  worstFirst,
} from './report-words.ts';

/** First line of a report in Markdown; the next report may replace the file. */
export const MARKDOWN_MARK = '<!-- skc report -->';

/** The whole report. */
export function renderReportMarkdown(report: SkillReport): string {
  const skills = worstFirst(report.skills);
  const undecided = skills.filter(({ decision }) => decision.state === 'needed');
  return `${[
    MARKDOWN_MARK,
    '',
    `# ${report.summary}`,
    '',
    `${code(report.project)}, ${report.generated_at.slice(0, 10)}, ${report.tool}.`,
    '',
    ...countLines(report),
    ...failureLines(report),
    ...(undecided.length === 0 ? [] : ['## Needs a decision', '', ...decisionTable(undecided), '']),
    ...changeLines(report, '##'),
    ...problemLines(report, '##'),
    '## All skills',
    '',
    '| skill | verdict | decision | can do | licence | source | trust |',
    '|---|---|---|---|---|---|---|',
    ...skills.map(
      (skill) =>
        `| ${code(skill.path)} | ${verdictWords(skill)} | ${plain(decisionOf(skill))} | ${canDo(skill)} | ${code(licenceOf(skill), 40)} | ${code(originOf(skill), 80)} | ${skill.trust.score} |`,
    ),
    '',
    '**Bold** under *can do*: found in its files, and not declared in its frontmatter.',
    '',
    '## Details',
    '',
    ...skills.flatMap((skill) => [
      `### ${code(skill.path)}`,
      '',
      ...detailLines(skill, Number.POSITIVE_INFINITY),
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function countLines({ counts }: SkillReport): string[] {
  const parts = [
    formatCount(counts.skills, 'skill'),
    `${counts.danger} danger`,
    `${counts.caution} caution`,
    `${counts.clean} clean`,
    ...(counts.accepted === 0 ? [] : [`${counts.accepted} accepted`]),
    ...(counts.locked === 0 ? [] : [`${counts.locked} locked`]),
    `${counts.undeclared} can do more than declared`,
  ];
  return [`${parts.join(' · ')}.`, ''];
}

function failureLines({ fail_on: failOn, failing }: SkillReport): string[] {
  if (failOn === null) return [];
  if (failing.length === 0) return [`Passes \`--fail-on ${failOn}\`.`, ''];
  return [
    `**Fails \`--fail-on ${failOn}\`:** ${failing
      .slice(0, 20)
      .map((path) => code(path))
      .join(', ')}${failing.length > 20 ? ` and ${failing.length - 20} more` : ''}.`,
    '',
  ];
}

function decisionTable(skills: readonly ReportedSkill[]): string[] {
  return [
    '| skill | verdict | why | can do | source |',
    '|---|---|---|---|---|',
    ...skills.map(
      (skill) =>
        `| ${code(skill.path)} | ${verdictWords(skill)} | ${code(mainReason(skill), 160)} | ${canDo(skill)} | ${code(originOf(skill), 80)} |`,
    ),
  ];
}

const verdictWords = ({ verdict, verdict_of_all: all }: ReportedSkill): string =>
  verdict === 'clean'
    ? all === 'clean'
      ? 'clean'
      : `clean (${all} with accepted findings)`
    : `**${verdict}**`;

const canDo = (skill: ReportedSkill): string =>
  abilitiesIn(skill)
    .map(({ word, isDeclared }) => (isDeclared ? word : `**${word}**`))
    .join(', ') || 'nothing found';

/** New, changed and gone skills. */
function changeLines({ baseline, skills }: SkillReport, heading: string): string[] {
  if (baseline === null) return [];
  const { new: added, changed, gone } = baseline;
  const title = `${heading} Since the baseline`;
  if (added.length + changed.length + gone.length === 0)
    return [title, '', `Nothing changed since ${code(baseline.path)}.`, ''];
  const by = new Map(skills.map((skill) => [skill.path, skill]));
  return [
    title,
    '',
    ...added.map((path) => `- **new** ${code(path)}: ${newWords(by.get(path))}`),
    ...changed.map(
      (path) =>
        `- **changed** ${code(path)}: ${(by.get(path)?.changes ?? []).map((change) => code(change)).join(', ')}`,
    ),
    ...gone.map((path) => `- **gone** ${code(path)}`),
    '',
  ];
}

const newWords = (skill: ReportedSkill | undefined): string =>
  skill === undefined ? '' : `${verdictWords(skill)}, ${canDo(skill)}`;

function problemLines({ problems }: SkillReport, heading: string): string[] {
  if (problems.length === 0) return [];
  return [
    `${heading} Could not be read`,
    '',
    ...problems.map(({ path, code: number, message }) => `- ${code(path)}: ${number} ${code(message)}`),
    '',
  ];
}

/** Everything about one skill, with at most so many findings of each kind. */
function detailLines(skill: ReportedSkill, most: number): string[] {
  const { licence, source, decision, trust, lint, findings, skipped } = skill;
  const undeclared = undeclaredOf(skill);
  return [
    ...(skill.locked ? ['A quiz locks this skill: nothing of it is quoted.', ''] : []),
    `- Verdict: ${verdictWords(skill)}${skill.complete ? '' : ', not fully scanned'}`,
    `- Decision: ${plain(decisionOf(skill))}`,
    ...decision.accepted.map(
      ({ by, why, at, where, counts }) =>
        `  - ${plain(by)}, ${at.slice(0, 10)}, in the ${where}: ${code(why)}${counts ? '' : ' (does not count without `--trust-lock`)'}`,
    ),
    `- Agents ${agentWords[decision.agents]}.${decision.granted.length === 0 ? '' : ` You granted it ${decision.granted.map((one) => code(one)).join(', ')}.`}`,
    ...(undeclared.length === 0
      ? []
      : [
          `- **Found, not declared:** ${firstOf(
            undeclared.map((one) => code(one, 60)),
            most,
          )}`,
        ]),
    `- Licence: ${code(licenceOf(skill), 80)}${licence.problem === null ? '' : `; **${plain(licence.problem)}**`}`,
    `- Source: ${code(originOf(skill))}${
      source === null || source.changes.length + source.edits.length === 0
        ? ''
        : `; differs from the lock: ${firstOf(
            [...source.changes, ...source.edits.map((file) => `edited ${file}`)].map((one) => code(one)),
            most,
          )}`
    }`,
    ...(source?.notices ?? []).map(({ kind, text }) => `  - **${plain(kind)}**: ${code(text)}`),
    ...(source === null || source.update === null ? [] : [`  - newer version: ${code(source.update)}`]),
    `- Trust: ${trust.score} of 100 (${trust.factors
      .filter(({ points }) => points > 0)
      .map(({ factor, points }) => `${factor} ${points}`)
      .join(', ')})${trust.cap === null ? '' : `; at most ${trust.cap.at}: ${trust.cap.reason}`}`,
    `- Size: ${sizeWords(skill)}`,
    `- Lint: ${formatCount(lint.errors, 'error')}, ${formatCount(lint.warnings, 'warning')}`,
    ...limited(
      lint.findings.filter(({ severity }) => severity !== 'info'),
      most,
      ({ rule, severity, message, path, line }) =>
        `  - ${severity} ${rule} ${code(formatPlace(path, line))}: ${code(message)}`,
    ),
    '',
    ...(findings.length === 0
      ? []
      : [
          '| finding | where | what | accepted |',
          '|---|---|---|---|',
          ...limited(
            findings,
            most,
            (finding) =>
              `| ${finding.severity} ${finding.rule} | ${code(findingPlace(finding))} | ${code(finding.message)}${finding.excerpt === null ? '' : ` ${code(finding.excerpt, 120)}`} | ${finding.accepted === null ? 'no' : plain(finding.accepted.by)} |`,
            '| … | | | |',
          ),
          '',
        ]),
    ...limited(
      skill.complete ? [] : skipped,
      most,
      ({ file, why }) => `- not scanned: ${code(file)}: ${code(why)}`,
    ),
    ...(skill.complete || skipped.length === 0 ? [] : ['']),
    ...abilityLines(skill, most),
  ];
}

function abilityLines({ abilities }: ReportedSkill, most: number): string[] {
  const rows = ABILITY_KINDS.flatMap((kind) => {
    const { declared = [], found = [] } = abilities.find((one) => one.kind === kind) ?? {};
    if (declared.length + found.length === 0) return [];
    const shown = found.map((one) => {
      const times = one.count > 1 ? ` ×${one.count}` : '';
      const words = `${code(one.what, 60)}${times}${one.file === null ? '' : ` in ${code(findingPlace(one), 80)}`}`;
      return one.declared || declared.length === 0 ? words : `**not declared:** ${words}`;
    });
    const said = firstOf(
      declared.map((one) => code(one, 100)),
      most,
    );
    return [`| ${abilityTitles[kind]} | ${said || '**nothing**'} | ${firstOf(shown, most) || 'nothing'} |`];
  });
  return rows.length === 0 ? [] : ['| can do | declared | found |', '|---|---|---|', ...rows];
}

/** A list on one line, cut with a word about the rest. */
function firstOf(parts: readonly string[], most: number): string {
  return [
    ...parts.slice(0, most),
    ...(parts.length > most ? [`… and ${parts.length - most} more`] : []),
  ].join(', ');
}

function limited<Item>(
  items: readonly Item[],
  most: number,
  row: (item: Item) => string,
  rest?: string,
): string[] {
  const left = items.length - most;
  const more = rest === undefined ? `  - … and ${left} more` : rest.replace('…', `… and ${left} more`);
  return [...items.slice(0, most).map(row), ...(left > 0 ? [more] : [])];
}

/** First line of a comment: a bot finds its own comment by it. */
export const COMMENT_MARK = '<!-- skc-report-comment -->';

/** Forges refuse longer comments. */
const MAX_COMMENT = 65_000;
const MAX_FINDINGS = 5;

/** A comment for a pull request: what is new first, details folded, short enough for every forge. */
export function renderReportComment(report: SkillReport): string {
  const skills = worstFirst(report.skills);
  const undecided = skills.filter(({ decision }) => decision.state === 'needed');
  const isFresh = ({ change, decision }: ReportedSkill) =>
    decision.state === 'needed' || change === 'new' || change === 'changed';
  const told = skills.filter((skill) =>
    report.baseline === null ? skill.decision.state === 'needed' : isFresh(skill),
  );
  const head = [
    COMMENT_MARK,
    `## ${report.failed ? '❌' : undecided.length + report.counts.broken > 0 ? '⚠️' : '✅'} ${report.summary}`,
    '',
    ...countLines(report),
    ...failureLines(report),
  ];
  const rest = [
    ...changeLines(report, '###'),
    ...(undecided.length === 0 ? [] : ['### Needs a decision', '', ...decisionTable(undecided), '']),
    ...problemLines(report, '###'),
  ];
  const foot = `<sub>${report.tool}; the whole report: \`skc report --output report.html\`</sub>`;
  const lines = [...head];
  let room = MAX_COMMENT - [...head, foot].join('\n').length - 200;
  let left = 0;
  const put = (block: readonly string[]): void => {
    const length = block.join('\n').length + 1;
    if (left > 0 || length > room) left++;
    else {
      lines.push(...block);
      room -= length;
    }
  };
  for (const line of rest) put([line]);
  const hidden = left;
  for (const skill of told)
    put([
      '<details>',
      `<summary>${plain(skill.path)}: ${skill.verdict}</summary>`,
      '',
      ...detailLines(skill, MAX_FINDINGS),
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

// Strangers' text inside Markdown of ours: no links, images, mentions, HTML, or ends of tables and fences.

const MAX = 300;
/** Characters without a width, which could split a word that is looked for. */
const unseen = /[\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** Untrusted text as code on one line: forges read nothing in it. Empty text stays empty. */
function code(text: string, max: number = MAX): string {
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
  return line.length > max ? `${line.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : line;
};
