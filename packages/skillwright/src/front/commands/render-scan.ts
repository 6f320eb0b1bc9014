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
import type { Line, View } from './define-command.ts';
import { notSearchedLine, type ReportedFinding } from './render-findings.ts';

/** For people: a paragraph for each skill that is not clean, its findings by rule, then the totals. */
export function scanLines(report: ScanReport, { paint }: Pick<View, 'paint'>): Line[] {
  const told = report.skills.filter(
    ({ findings, verdict, skipped, reviewed }) =>
      verdict !== 'clean' || findings.length > 0 || skipped.length > 0 || reviewed.length > 0,
  );
  return skillLines(report, { paint, told });
}

/** Like `scanLines`, with paragraphs only for these skills. */
export function skillLines(
  report: ScanReport,
  { paint, told }: Pick<View, 'paint'> & { told: readonly SkillScan[] },
): Line[] {
  const left = notSearchedLine(report.not_searched);
  return [
    told.map((skill) => [skillBlock(skill, paint), '']),
    report.problems.map(({ code, message }) => [
      `${paint.error(`error[${code}]`)}: ${makeVisible(message)}`,
      '',
    ]),
    left && paint.faint(left),
    scanSummary(report, paint),
  ];
}

function skillBlock(skill: SkillScan, paint: View['paint']): Line {
  const { path, complete, score, files, bytes, opinion, reviewed } = skill;
  const told = verdictSentence(skill);
  const byRule = Map.groupBy(skill.findings, ({ rule }) => rule);
  return [
    `${paint.strong(makeVisible(path))}: ${verdictWord(skill.verdict, paint)} (${complete ? '' : 'not fully scanned, '}${score} points, ${formatCount(files, 'file')}, ${formatBytes(bytes)})`,
    told !== undefined && `  ${makeVisible(told)}`,
    [...byRule.values()].map((findings) => ruleLines(findings, paint)),
    opinion &&
      `  ${paint.faint('second opinion')}: ${makeVisible(opinion.model)}: ${opinion.verdict ?? 'none'}: ${makeVisible(opinion.why)}`,
    reviewed.length > 0 &&
      `  ${paint.faint('reviewed')}: ${formatCount(reviewed.length, 'finding')} left out by the baseline; ${skill.verdict_of_all} with them`,
    skill.expired.map(
      ({ file, rule, by }) =>
        `  ${paint.warning('expired')}: the review of ${rule} by ${makeVisible(by)} ended: ${makeVisible(file)} has changed`,
    ),
    skill.skipped.map(
      ({ file, why }) => `  ${paint.faint('not scanned')}: ${makeVisible(file)}: ${makeVisible(why)}`,
    ),
  ];
}

function ruleLines(findings: readonly ScanFinding[], paint: View['paint']): Line {
  const [first] = findings;
  return [
    findings.map((finding) => {
      const { severity, confidence, rule, name, message, excerpt } = finding;
      const label =
        severity === 'low' ? severity : paint[severity === 'medium' ? 'warning' : 'error'](severity);
      const sure = confidence === 'high' ? '' : `, ${confidence} confidence`;
      const line = `  ${label}${sure}: ${makeVisible(formatPlace(finding.file, finding.line))}: ${rule} ${name}: ${makeVisible(message)}`;
      const quoted = excerpt !== null && `      ${paint.faint(`> ${makeVisible(excerpt)}`)}`;
      return [line, quoted, flowLine(finding, paint)];
    }),
    `    ${paint.faint('why')}: ${first!.reason}`,
    `    ${paint.faint('help')}: ${first!.help}`,
  ];
}

/** The way of data, when it takes more than one line. */
function flowLine({ flow = [] }: ScanFinding, paint: View['paint']): Line {
  const places = [...new Set(flow.map(({ file, line }) => formatPlace(file, line)))];
  return places.length > 1 && `      ${paint.faint('flow')}: ${makeVisible(places.join(' → '))}`;
}

const looks = { danger: 'error', caution: 'warning', clean: 'good' } as const;

const verdictWord = (verdict: ScanVerdict, paint: View['paint']) => paint[looks[verdict]](verdict);

function scanSummary(report: ScanReport, paint: View['paint']): string {
  const parts = (['danger', 'caution', 'clean'] as const).map((verdict) => {
    const text = `${report[verdict]} ${verdict}`;
    return report[verdict] > 0 ? paint[looks[verdict]](text) : text;
  });
  return `${formatCount(report.skills.length, 'skill')}: ${parts.join(', ')}`;
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
