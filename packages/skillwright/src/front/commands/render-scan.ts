// A scan report in each of its formats.

import { join } from 'node:path';
import { formatCount, formatPlace, makeVisible } from '../../base/diagnostics/index.ts';
import { formatBytes } from '../../base/files/index.ts';
import {
  type ScanFinding,
  type ScanReport,
  type ScanVerdict,
  type SkillScan,
  verdictSentence,
} from '../../guard/scan/index.ts';
import type { Renderer, View } from './define-command.ts';
import { notSearchedLines, type ReportedFinding } from './render-findings.ts';

/** For people: a paragraph for each skill that is not clean, its findings by rule, then the totals. */
export const renderScan: Renderer<ScanReport> = (report, { paint }) => {
  const told = report.skills.filter(
    ({ findings, verdict, skipped, reviewed }) =>
      verdict !== 'clean' || findings.length > 0 || skipped.length > 0 || reviewed.length > 0,
  );
  return renderSkills(report, { paint, told });
};

/** Like `renderScan`, with paragraphs only for these skills. */
export function renderSkills(
  report: ScanReport,
  { paint, told }: Pick<View, 'paint'> & { told: readonly SkillScan[] },
): string {
  const blocks = told.map((skill) => skillBlock(skill, paint));
  const problems = report.problems.map(
    ({ code, message }) => `${paint.error(`error[${code}]`)}: ${makeVisible(message)}\n`,
  );
  const left = notSearchedLines(report.not_searched).map((line) => `${paint.faint(line)}\n`);
  return `${[...blocks, ...problems].map((block) => `${block}\n`).join('')}${left.join('')}${scanSummary(report, paint)}\n`;
}

function skillBlock(skill: SkillScan, paint: View['paint']): string {
  const head = `${paint.strong(makeVisible(skill.path))}: ${verdictWord(skill.verdict, paint)} (${skill.complete ? '' : 'not fully scanned, '}${skill.score} points, ${formatCount(skill.files, 'file')}, ${formatBytes(skill.bytes)})`;
  const told = verdictSentence(skill);
  const byRule = Map.groupBy(skill.findings, ({ rule }) => rule);
  const rules = [...byRule.values()].flatMap((findings) => ruleLines(findings, paint));
  const opinion =
    skill.opinion === undefined
      ? []
      : [
          `  ${paint.faint('second opinion')}: ${makeVisible(skill.opinion.model)}: ${skill.opinion.verdict ?? 'none'}: ${makeVisible(skill.opinion.why)}`,
        ];
  const skipped = skill.skipped.map(
    ({ file, why }) => `  ${paint.faint('not scanned')}: ${makeVisible(file)}: ${makeVisible(why)}`,
  );
  const reviewed =
    skill.reviewed.length === 0
      ? []
      : [
          `  ${paint.faint('reviewed')}: ${formatCount(skill.reviewed.length, 'finding')} left out by the baseline; ${skill.verdict_of_all} with them`,
        ];
  const expired = skill.expired.map(
    ({ file, rule, by }) =>
      `  ${paint.warning('expired')}: the review of ${rule} by ${makeVisible(by)} ended: ${makeVisible(file)} has changed`,
  );
  const sentence = told === undefined ? [] : [`  ${makeVisible(told)}`];
  return `${[head, ...sentence, ...rules, ...opinion, ...reviewed, ...expired, ...skipped].join('\n')}\n`;
}

function ruleLines(findings: readonly ScanFinding[], paint: View['paint']): string[] {
  const [first] = findings;
  return [
    ...findings.flatMap((finding) => {
      const { severity, confidence, rule, name, message, excerpt } = finding;
      const label =
        severity === 'low' ? severity : paint[severity === 'medium' ? 'warning' : 'error'](severity);
      const sure = confidence === 'high' ? '' : `, ${confidence} confidence`;
      const line = `  ${label}${sure}: ${makeVisible(formatPlace(finding.file, finding.line))}: ${rule} ${name}: ${makeVisible(message)}`;
      const quoted = excerpt === null ? [] : [`      ${paint.faint(`> ${makeVisible(excerpt)}`)}`];
      return [line, ...quoted, ...flowLines(finding, paint)];
    }),
    `    ${paint.faint('why')}: ${first!.reason}`,
    `    ${paint.faint('help')}: ${first!.help}`,
  ];
}

/** The way of data, when it takes more than one line. */
function flowLines({ flow = [] }: ScanFinding, paint: View['paint']): string[] {
  const places = [...new Set(flow.map(({ file, line }) => formatPlace(file, line)))];
  return places.length < 2 ? [] : [`      ${paint.faint('flow')}: ${makeVisible(places.join(' → '))}`];
}

const verdictWord = (verdict: ScanVerdict, paint: View['paint']): string =>
  verdict === 'danger'
    ? paint.error(verdict)
    : verdict === 'caution'
      ? paint.warning(verdict)
      : paint.good(verdict);

function scanSummary({ skills, clean, caution, danger }: ScanReport, paint: View['paint']): string {
  const parts = [
    danger > 0 ? paint.error(`${danger} danger`) : '0 danger',
    caution > 0 ? paint.warning(`${caution} caution`) : '0 caution',
    clean > 0 ? paint.good(`${clean} clean`) : '0 clean',
  ];
  return `${formatCount(skills.length, 'skill')}: ${parts.join(', ')}`;
}

const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'note' } as const;

/** The findings of a report, for other formats. */
export const scanFindings = ({ skills }: ScanReport): ReportedFinding[] =>
  skills.flatMap(({ path, findings }) =>
    findings.map(({ rule, name, severity, confidence, file, line, message, reason, help, flow }) => ({
      id: rule,
      name,
      // Findings of low confidence never fail a check.
      level: confidence === 'low' ? 'note' : levels[severity],
      text: `${message} (${severity}, ${confidence} confidence)\n${reason}\n${help}`,
      path: join(path, file),
      line,
      flow: flow?.map((step) => ({ ...step, path: join(path, step.file) })),
    })),
  );
