// A lint report in each of its formats.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { LintFinding, LintReport } from '../../make/lint/index.ts';
import type { Renderer, View } from './define-command.ts';
import { githubCommands, type ReportedFinding, sarifLog } from './render-findings.ts';

const placeOf = ({ path, line }: LintFinding) => makeVisible(line === null ? path : `${path}:${line}`);

const titleOf = ({ rule, name, message }: LintFinding) =>
  makeVisible(rule === null ? message : `${rule} ${name}: ${message}`);

/** For people: one line a finding, its help under it, and the sum. */
export const renderText: Renderer<LintReport> = (report, { paint }) => {
  const lines = report.findings.flatMap((finding) => {
    const label = finding.severity === 'info' ? 'info' : `${finding.severity}[${finding.code}]`;
    const head = `${paint.strong(placeOf(finding))}: ${paint[finding.severity](label)}: ${titleOf(finding)}`;
    return finding.help === null ? [head] : [head, `  ${paint.faint('help')}: ${makeVisible(finding.help)}`];
  });
  return `${[...lines, summaryOf(report, paint)].join('\n')}\n`;
};

function summaryOf(report: LintReport, paint: View['paint']): string {
  const { skills, errors, warnings, fixed, max_warnings: limit } = report;
  const parts = [
    errors > 0 ? paint.error(count(errors, 'error')) : 'no errors',
    warnings > 0 ? paint.warning(count(warnings, 'warning')) : 'no warnings',
  ];
  if (fixed > 0) parts.push(`${fixed} fixed`);
  const fixable = report.findings.filter((finding) => finding.fixable).length;
  const hint = fixable > 0 ? `; ${count(fixable, 'finding')} can be corrected with --fix` : '';
  const over = limit !== null && warnings > limit ? `; more than the ${count(limit, 'warning')} allowed` : '';
  return `${count(skills, 'skill')} (${report.profile}): ${parts.join(', ')}${hint}${over}`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** How many findings an agent is shown: enough to work on, short enough for its context. */
const AGENT_LIMIT = 100;

/** For language models: one short line a finding, the fix inline, and a cap that says what is missing. */
export const renderAgent: Renderer<LintReport> = (report) => {
  const worst = [...report.findings]
    .filter(({ severity }) => severity !== 'info')
    .sort((a, b) => rank(a) - rank(b));
  if (worst.length === 0) return `OK: ${count(report.skills, 'skill')}, no findings.\n`;
  const shown = worst.slice(0, AGENT_LIMIT).map((finding) => {
    const fix = finding.help === null ? '' : ` | fix: ${makeVisible(finding.help)}`;
    return `${finding.severity} ${placeOf(finding)} ${titleOf(finding)}${fix}`;
  });
  const missing = worst.length - shown.length;
  return `${[
    `${count(report.errors, 'error')}, ${count(report.warnings, 'warning')} in ${count(report.skills, 'skill')}.${report.errors > 0 && report.warnings > 0 ? ' Fix the errors first.' : ''}`,
    ...shown,
    ...(missing > 0 ? [`... (${missing} more; lint one skill at a time, or use --json)`] : []),
    ...(worst.some(({ fixable }) => fixable) ? ['Some of these are corrected by: skc lint --fix'] : []),
  ].join('\n')}\n`;
};

const rank = ({ severity }: LintFinding) => (severity === 'error' ? 0 : 1);

/** Workflow commands that put findings beside the changed lines of a pull request. */
export const renderGithub: Renderer<LintReport> = (report) => githubCommands(report.findings.map(reported));

/** SARIF 2.1.0, for code scanning. */
export const renderSarif: Renderer<LintReport> = (report) => sarifLog(report.findings.map(reported));

const reported = (finding: LintFinding): ReportedFinding => ({
  id: finding.rule ?? finding.code,
  name: finding.name,
  level: finding.severity === 'info' ? 'note' : finding.severity,
  text: finding.help === null ? finding.message : `${finding.message}\n${finding.help}`,
  path: finding.path,
  line: finding.line,
});
