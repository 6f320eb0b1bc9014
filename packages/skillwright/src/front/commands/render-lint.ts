// A lint report in each of its formats.

import { formatCount, formatPlace, makeVisible } from '../../base/diagnostics/index.ts';
import type { LintFinding, LintReport, LintSummary } from '../../make/lint/index.ts';
import { type Line, type Renderer, textOf, type View } from './define-command.ts';
import { paintDiff } from './paint-diff.ts';
import { notSearchedLine, type ReportedFinding } from './render-findings.ts';

const findingTitle = ({ rule, name, message }: Pick<LintFinding, 'rule' | 'name' | 'message'>) =>
  makeVisible(rule === null ? message : `${rule} ${name}: ${message}`);

/** For people: one line per finding with its help below, then the totals. */
export function lintLines(report: LintReport, { paint }: Pick<View, 'paint'>): Line[] {
  const { findings, fixes, diff, dry_run } = report;
  const done = dry_run ? 'would fix' : 'fixed';
  return [
    findings.map((finding) => {
      const { severity, code, path, line, help } = finding;
      const label = severity === 'info' ? 'info' : `${severity}[${code}]`;
      return [
        `${paint.strong(makeVisible(formatPlace(path, line)))}: ${paint[severity](label)}: ${findingTitle(finding)}`,
        help !== null && `  ${paint.faint('help')}: ${makeVisible(help)}`,
      ];
    }),
    fixes.map((fix) => `${done} ${makeVisible(formatPlace(fix.path, fix.line))}: ${findingTitle(fix)}`),
    diff ? paintDiff(diff.trimEnd(), paint) : null,
    report.judged.map(judgedLine),
    notSearchedLine(report.not_searched),
    lintSummary(report, paint),
  ];
}

/** One skill: score, findings, tokens. */
function judgedLine({ path, score, errors, warnings, tokens }: LintSummary): string {
  const counts = `${formatCount(errors, 'error')}, ${formatCount(warnings, 'warning')}`;
  return makeVisible(`${path}: score ${score}, ${counts}, ${tokens} tokens`);
}

function lintSummary(report: LintReport, paint: View['paint']): string {
  const { skills, errors, warnings, fixed, max_warnings: limit } = report;
  const parts = [
    errors > 0 ? paint.error(formatCount(errors, 'error')) : paint.good('no errors'),
    warnings > 0 ? paint.warning(formatCount(warnings, 'warning')) : paint.good('no warnings'),
  ];
  if (fixed > 0) parts.push(`${fixed} fixed`);
  if (report.dry_run) parts.push(`${report.fixes.length} would be fixed, nothing was changed`);
  const fixable = report.findings.filter((finding) => finding.fixable).length;
  const hint =
    fixable > 0 && !report.dry_run ? `; ${formatCount(fixable, 'finding')} can be fixed with --fix` : '';
  const over =
    limit !== null && warnings > limit ? `; more than the ${formatCount(limit, 'warning')} allowed` : '';
  return `${formatCount(skills, 'skill')} (${report.profile}): ${parts.join(', ')}${hint}${over}`;
}

/** Findings shown to an agent: enough to work on, short enough for its context. */
const AGENT_LIMIT = 100;

/** For language models: one short line per finding with its fix, and a limit that says how many are missing. */
export const renderAgent: Renderer<LintReport> = (report) => {
  const worst = [...report.findings]
    .filter(({ severity }) => severity !== 'info')
    .sort((a, b) => rank(a) - rank(b));
  if (worst.length === 0) return `OK: ${formatCount(report.skills, 'skill')}, no findings.\n`;
  const shown = worst.slice(0, AGENT_LIMIT).map((finding) => {
    const fix = finding.help === null ? '' : ` | fix: ${makeVisible(finding.help)}`;
    return `${finding.severity} ${makeVisible(formatPlace(finding.path, finding.line))} ${findingTitle(finding)}${fix}`;
  });
  const missing = worst.length - shown.length;
  return textOf([
    `${formatCount(report.errors, 'error')}, ${formatCount(report.warnings, 'warning')} in ${formatCount(report.skills, 'skill')}.${report.errors > 0 && report.warnings > 0 ? ' Fix the errors first.' : ''}`,
    shown,
    missing > 0 && `... (${missing} more; lint one skill at a time, or use --json)`,
    worst.some(({ fixable }) => fixable) && 'Fix some of these with: skc lint --fix',
  ]);
};

const rank = ({ severity }: LintFinding) => (severity === 'error' ? 0 : 1);

/** The findings of a report, for other formats. */
export const lintFindings = ({ findings }: LintReport): ReportedFinding[] =>
  findings.map(({ rule, code, name, severity, message, help, path, line }) => ({
    id: rule ?? code,
    name,
    level: severity === 'info' ? 'note' : severity,
    text: help === null ? message : `${message}\n${help}`,
    path,
    line,
  }));
