// The report of skc ci in each of its formats.

import { formatCount, formatPlace, makeVisible } from '../../base/diagnostics/index.ts';
import { markdownCode } from '../report/index.ts';
import type { CiReport } from './ci-report.ts';
import { type Line, textOf, type View } from './define-command.ts';
import { type ReportedFinding, sarifLogs } from './render-findings.ts';
import { lintFindings, lintLines } from './render-lint.ts';
import { scanFindings, skillLines } from './render-scan.ts';
import { testFindings, testLines } from './render-test.ts';

/** For people: one paragraph per check, and the checks that failed. */
export function ciLines(report: CiReport, view: View): Line[] {
  const { verify, scan, lint, test, ok, failed } = report;
  const { paint } = view;
  const told = scan.skills.filter(
    ({ verdict, findings, expired, complete }) =>
      verdict !== 'clean' || findings.length > 0 || expired.length > 0 || !complete,
  );
  const drift = verify.drift.map(
    ({ path, skill, kind, message }) =>
      `${paint.strong(makeVisible(path))}: ${paint.error(kind)}: ${makeVisible(skill)}: ${makeVisible(message)}`,
  );
  return [
    [paint.strong('verify'), drift, verifySummary(verify), ''],
    [paint.strong('scan'), skillLines(scan, { paint, told }), ''],
    [paint.strong('lint'), lintLines(lint, view), ''],
    test && [paint.strong('test'), testLines(test, view), ''],
    ok ? 'all checks passed' : `failed: ${failed.join(', ')}`,
  ];
}

function verifySummary({ skills, drift }: CiReport['verify']): string {
  if (skills === 0) return 'no skills installed';
  const differing = new Set(drift.map(({ skill }) => skill)).size;
  return `${formatCount(skills, 'installed skill')}: ${differing === 0 ? 'all match the lock' : `${differing} ${differing === 1 ? 'differs' : 'differ'} from the lock`}`;
}

const driftFindings = ({ verify }: CiReport): ReportedFinding[] =>
  verify.drift.map(({ skill, kind, path, message }) => ({
    id: `verify-${kind}`,
    name: null,
    level: 'error',
    text: `${skill}: ${message}`,
    path,
    line: null,
  }));

/** The findings of all checks. */
export const ciFindings = (report: CiReport): ReportedFinding[] => [
  ...driftFindings(report),
  ...scanFindings(report.scan),
  ...problemFindings(report),
  ...lintFindings(report.lint),
  ...evalFindings(report),
];

const evalFindings = ({ test }: CiReport): ReportedFinding[] => (test === null ? [] : testFindings(test));

/** Directories the scan could not read. */
const problemFindings = ({ scan }: CiReport): ReportedFinding[] =>
  scan.problems.map(({ path, code, message }) => ({
    id: code,
    name: null,
    level: 'error',
    text: message,
    path,
    line: null,
  }));

/** SARIF 2.1.0: one file with a run for each check. */
export const renderCiSarif = (report: CiReport): string =>
  sarifLogs({
    verify: driftFindings(report),
    scan: [...scanFindings(report.scan), ...problemFindings(report)],
    lint: lintFindings(report.lint),
    ...(report.test === null ? {} : { test: evalFindings(report) }),
  });

/** Maximum number of findings per check in a summary, and of characters in a cell. */
const [MAX_ROWS, MAX_CELL] = [50, 200];

/** Markdown for the page of a run: a table of the checks, then the findings of each. */
export function renderCiMarkdown(report: CiReport): string {
  const { verify, scan, lint, test, failed } = report;
  const state = (name: CiReport['failed'][number]) => (failed.includes(name) ? '❌ failed' : '✅ passed');
  const found = [
    ['Differences from the lock', driftFindings(report)],
    ['Scan findings', [...problemFindings(report), ...scanFindings(scan)]],
    ['Lint findings', lintFindings(lint)],
    ['Failed evals', evalFindings(report)],
  ] as const;
  const scanned = `${formatCount(scan.skills.length, 'skill')}: ${scan.danger} danger, ${scan.caution} caution, ${scan.clean} clean`;
  const linted = `${formatCount(lint.skills, 'skill')}: ${formatCount(lint.errors, 'error')}, ${formatCount(lint.warnings, 'warning')}`;
  return textOf([
    `## Skills: ${report.ok ? 'all checks passed' : `${failed.join(', ')} failed`}`,
    '',
    '| check | result | |',
    '| --- | --- | --- |',
    `| verify | ${state('verify')} | ${verifySummary(verify)} |`,
    `| scan | ${state('scan')} | ${scanned} |`,
    `| lint | ${state('lint')} | ${linted} |`,
    test && `| test | ${state('test')} | ${test.passed} passed, ${test.failed} failed |`,
    '',
    found.map(([title, findings]) => findingTable(title, findings)),
  ]);
}

function findingTable(title: string, findings: readonly ReportedFinding[]): Line {
  const told = findings.filter(({ level }) => level !== 'note');
  if (told.length === 0) return null;
  const worst = told.toSorted((a, b) => Number(b.level === 'error') - Number(a.level === 'error'));
  const left = worst.length - MAX_ROWS;
  return [
    `### ${title}`,
    '',
    '| level | rule | where | finding |',
    '| --- | --- | --- | --- |',
    worst.slice(0, MAX_ROWS).map(({ id, level, text, path, line }) => {
      return `| ${level} | ${cell(id)} | ${cell(formatPlace(path, line))} | ${cell(text.split('\n', 1)[0]!)} |`;
    }),
    left > 0 && ['', `… and ${left} more; \`skc ci\` prints them all.`],
    '',
  ];
}

const cell = (text: string) => markdownCode(text, MAX_CELL);
