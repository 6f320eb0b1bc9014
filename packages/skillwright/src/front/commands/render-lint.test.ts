import { describe, expect, test } from 'vitest';
import { plainPaint } from '../../base/diagnostics/render-text.ts';
import type { LintFinding, LintReport } from '../../make/lint/lint-report.ts';
import { textOf } from './define-command.ts';
import { findingFormats } from './render-findings.ts';
import { lintFindings, lintLines, renderAgent } from './render-lint.ts';

const { github, sarif } = findingFormats(lintFindings);

const view = { paint: plainPaint, columns: 80, by: 'user' as const };

const finding = (changes: Partial<LintFinding>): LintFinding => ({
  code: 'E300',
  rule: 'SKL101',
  name: 'name-required',
  severity: 'error',
  message: 'name is missing',
  help: null,
  path: 'a/SKILL.md',
  line: 2,
  fixable: false,
  ...changes,
});

const report = (findings: LintFinding[], changes: Partial<LintReport> = {}): LintReport => ({
  profile: 'spec',
  skills: 2,
  errors: findings.filter(({ severity }) => severity === 'error').length,
  warnings: findings.filter(({ severity }) => severity === 'warning').length,
  fixed: 0,
  dry_run: false,
  max_warnings: null,
  findings,
  fixes: [],
  diff: null,
  judged: [],
  not_searched: [],
  ...changes,
});

const mixed = report([
  finding({ help: 'add a name' }),
  finding({
    severity: 'warning',
    code: 'W300',
    rule: 'SKL201',
    name: 'heading-h1',
    message: 'no title',
    fixable: true,
  }),
  finding({ severity: 'info', code: 'W300', rule: 'SKL000', name: 'skip', message: 'skipped', line: null }),
  finding({
    code: 'E015',
    rule: null,
    name: null,
    message: "cannot read 'b': permission denied",
    path: 'b',
    line: null,
  }),
]);

describe('text', () => {
  test('one line per finding, and the totals', () => {
    expect(
      textOf(lintLines(mixed, view)),
    ).toBe(`a/SKILL.md:2: error[E300]: SKL101 name-required: name is missing
  help: add a name
a/SKILL.md:2: warning[W300]: SKL201 heading-h1: no title
a/SKILL.md: info: SKL000 skip: skipped
b: error[E015]: cannot read 'b': permission denied
2 skills (spec): 2 errors, 1 warning; 1 finding can be fixed with --fix
`);
  });

  test.each([
    [report([]), '2 skills (spec): no errors, no warnings'],
    [
      report([], { skills: 1, fixed: 3, profile: 'strict' }),
      '1 skill (strict): no errors, no warnings, 3 fixed',
    ],
    [
      report([], { warnings: 2, max_warnings: 1 }),
      '2 skills (spec): no errors, 2 warnings; more than the 1 warning allowed',
    ],
    [report([], { warnings: 1, max_warnings: 1 }), '2 skills (spec): no errors, 1 warning'],
  ])('sum %#', (given, line) => {
    expect(textOf(lintLines(given, view))).toBe(`${line}\n`);
  });
});

describe('agent', () => {
  test('errors first, no notes, each with its fix', () => {
    expect(renderAgent(mixed, view)).toBe(`2 errors, 1 warning in 2 skills. Fix the errors first.
error a/SKILL.md:2 SKL101 name-required: name is missing | fix: add a name
error b cannot read 'b': permission denied
warning a/SKILL.md:2 SKL201 heading-h1: no title
Fix some of these with: skc lint --fix
`);
  });

  test.each([
    [{ errors: 0, warnings: 1 }, '0 errors, 1 warning in 2 skills.'],
    [{ errors: 1, warnings: 0 }, '1 error, 0 warnings in 2 skills.'],
  ])('says what comes first only where there is a choice: %j', (sums, line) => {
    expect(renderAgent(report([finding({})], sums), view).split('\n')[0]).toBe(line);
  });

  test('a clean report is one line', () => {
    expect(renderAgent(report([], { skills: 1 }), view)).toBe('OK: 1 skill, no findings.\n');
  });

  test('stops at a limit and says how many findings are missing', () => {
    const many = report(Array.from({ length: 103 }, (_, index) => finding({ line: index + 1 })));
    const lines = renderAgent(many, view).trimEnd().split('\n');
    expect(lines.length).toBe(102);
    expect(lines.at(-1)).toBe('... (3 more; lint one skill at a time, or use --json)');
  });
});

describe('github', () => {
  test('one workflow command per finding', () => {
    expect(
      github(mixed),
    ).toBe(`::error file=a/SKILL.md,line=2,title=SKL101 name-required::name is missing%0Aadd a name
::warning file=a/SKILL.md,line=2,title=SKL201 heading-h1::no title
::notice file=a/SKILL.md,line=1,title=SKL000 skip::skipped
::error file=b,line=1,title=E015::cannot read 'b': permission denied
`);
    expect(github(report([]))).toBe('');
  });

  test('text of a finding cannot end its command', () => {
    const odd = finding({ path: 'a,b:c%\r\n::x', message: '100%\n::error::forged' });
    expect(github(report([odd]))).toBe(
      '::error file=a%2Cb%3Ac%25%0D%0A%3A%3Ax,line=2,title=SKL101 name-required::100%25%0A::error::forged\n',
    );
  });
});

describe('sarif', () => {
  test('rules once, results in order', () => {
    const [run] = JSON.parse(sarif(mixed)).runs;
    expect(run.tool.driver.rules).toEqual([
      { id: 'E015' },
      { id: 'SKL000', name: 'skip' },
      { id: 'SKL101', name: 'name-required' },
      { id: 'SKL201', name: 'heading-h1' },
    ]);
    expect(run.results).toEqual([
      {
        ruleId: 'SKL101',
        ruleIndex: 2,
        level: 'error',
        message: { text: 'name is missing\nadd a name' },
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'a/SKILL.md' }, region: { startLine: 2 } } },
        ],
      },
      expect.objectContaining({ ruleId: 'SKL201', ruleIndex: 3, level: 'warning' }),
      expect.objectContaining({
        ruleId: 'SKL000',
        level: 'note',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'a/SKILL.md' } } }],
      }),
      expect.objectContaining({ ruleId: 'E015', ruleIndex: 0, level: 'error' }),
    ]);
  });

  test.each([
    ['a b/ü#?.md', 'a%20b/%C3%BC%23%3F.md'],
    ['a\\b.md', 'a%5Cb.md'],
    ['/abs/a b.md', 'file:///abs/a%20b.md'],
    ['.', '.'],
  ])('%s as an address is %s', (path, uri) => {
    const [run] = JSON.parse(sarif(report([finding({ path })]))).runs;
    expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  });
});
