// A lint report in each of its formats.

import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from 'sarif';
import { makeVisible } from '../diagnostics/codes.ts';
import type { LintFinding, LintReport } from '../lint/lint-report.ts';
import { toolVersion } from '../version.ts';
import type { Renderer, View } from './define-command.ts';

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
    `${count(report.errors, 'error')}, ${count(report.warnings, 'warning')} in ${count(report.skills, 'skill')}. Fix the errors first.`,
    ...shown,
    ...(missing > 0 ? [`... (${missing} more; lint one skill at a time, or use --json)`] : []),
    ...(worst.some(({ fixable }) => fixable) ? ['Some of these are corrected by: skc lint --fix'] : []),
  ].join('\n')}\n`;
};

const rank = ({ severity }: LintFinding) => (severity === 'error' ? 0 : 1);

/** Workflow commands that put findings beside the changed lines of a pull request. */
export const renderGithub: Renderer<LintReport> = (report) =>
  report.findings
    .map((finding) => {
      const command = finding.severity === 'info' ? 'notice' : finding.severity;
      const title = finding.rule === null ? finding.code : `${finding.rule} ${finding.name}`;
      const properties = [
        `file=${property(finding.path)}`,
        `line=${finding.line ?? 1}`,
        `title=${property(title)}`,
      ];
      const text = finding.help === null ? finding.message : `${finding.message}\n${finding.help}`;
      return `::${command} ${properties.join(',')}::${data(text)}\n`;
    })
    .join('');

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** SARIF 2.1.0, for code scanning. */
export const renderSarif: Renderer<LintReport> = (report) => {
  const ids = [
    ...new Map(report.findings.map((finding) => [ruleIdOf(finding), finding.name])).entries(),
  ].sort();
  const indexes = new Map(ids.map(([id], index) => [id, index]));
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'skc',
            version: toolVersion,
            rules: ids.map(([id, name]) => (name === null ? { id } : { id, name })),
          },
        },
        columnKind: 'unicodeCodePoints',
        results: report.findings.map((finding) => ({
          ruleId: ruleIdOf(finding),
          ruleIndex: indexes.get(ruleIdOf(finding))!,
          level: finding.severity === 'info' ? 'note' : finding.severity,
          message: { text: finding.help === null ? finding.message : `${finding.message}\n${finding.help}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(finding.path) },
                ...(finding.line === null ? {} : { region: { startLine: finding.line } }),
              },
            },
          ],
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
};

const ruleIdOf = ({ rule, code }: LintFinding) => rule ?? code;

const uriOf = (path: string) =>
  isAbsolute(path) ? pathToFileURL(path).href : path.split(sep).map(encodeURIComponent).join('/');
