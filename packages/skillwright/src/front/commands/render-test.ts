// The report of skc test as text, JUnit XML and Markdown.

import { formatCount, oneLine } from '../../base/diagnostics/index.ts';
import type { View } from './define-command.ts';
import type { ModelReport } from './model-report.ts';
import type { ReportedFinding } from './render-findings.ts';
import { modelCases, modelLines, renderModel } from './render-model.ts';
import type { TestReport } from './test-report.ts';

interface Case {
  readonly title: string;
  readonly place: string;
  readonly passed: boolean;
  readonly why: string;
  readonly note: string;
  /** Neither passed nor failed counts. */
  readonly proposed: boolean;
}

type TestedSkill = TestReport['skills'][number];

function casesOf({ queries, questions }: TestedSkill): Case[] {
  return [
    ...queries.map(({ query, source, position, passed, why, proposed, should_trigger: wanted }) => ({
      title: query,
      place: `${source}#${position}`,
      passed,
      why,
      note: wanted ? '' : 'should not trigger',
      proposed,
    })),
    ...questions.map(({ question, source, position, passed, why, proposed, section, tokens }) => ({
      title: question,
      place: `${source}#${position}`,
      passed,
      why,
      note: tokens === null ? `answered by '${section}'` : `${tokens} tokens`,
      proposed,
    })),
  ];
}

/** Failures with their reasons, then one line per skill. */
export function renderTest(report: TestReport, { paint }: View): string {
  const { rivals, passed, failed, proposed } = report;
  const lines = report.skills.flatMap((skill) => {
    const cases = casesOf(skill);
    const written = skill.written.flatMap(({ file, added }) => [
      `${report.dry_run ? 'would write' : 'wrote'} ${oneLine(`${skill.path}/${file}`)}: ${formatCount(added.length, 'new case')}`,
      ...added.map((text) => `  ${oneLine(text)}`),
    ]);
    if (cases.length === 0 && skill.tasks === 0 && skill.problems.length === 0) return written;
    const counted = cases.filter((one) => !one.proposed);
    const tokens = skill.questions.map((question) => question.tokens).filter((count) => count !== null);
    const wanted = skill.queries.filter((query) => query.should_trigger && !query.proposed);
    const byText = wanted.filter((query) => query.text_rank === 1).length;
    const notes = [
      // The second opinion is worth a word where it differs.
      ...(byText === wanted.filter(({ passed: isPassed }) => isPassed).length
        ? []
        : [`first for ${byText} of ${formatCount(wanted.length, 'request')} when whole texts are searched`]),
      ...(tokens.length === 0 ? [] : [`${middleOf(tokens)} tokens to an answer`]),
      ...(skill.tasks === 0 || report.model !== null
        ? []
        : [`${formatCount(skill.tasks, 'task')} for a model not run`]),
      ...(counted.length === cases.length ? [] : [`${cases.length - counted.length} proposed`]),
    ];
    const result =
      counted.length === 0
        ? 'nothing was run that counts'
        : `${counted.filter((one) => one.passed).length} of ${counted.length} passed`;
    const sum = `${paint.strong(oneLine(skill.name))}  ${result}`;
    return [
      ...written,
      `${sum}${notes.length === 0 ? '' : paint.faint(`  ${notes.join(', ')}`)}`,
      ...cases
        .filter((one) => !one.passed)
        .flatMap(({ title, place, why, note, proposed: isProposed }) => [
          `  ${isProposed ? paint.faint('would fail') : paint.error('failed')}  ${oneLine(title)}  ${paint.faint(`${place}${note === '' ? '' : `, ${note}`}`)}`,
          `          ${oneLine(why)}`,
        ]),
      ...skill.problems.map((problem) => `  ${paint.error('problem')}  ${oneLine(problem)}`),
    ];
  });
  const more = proposed === 0 ? '' : `, ${proposed} proposed`;
  const total = `${passed} passed, ${failed} failed${more}; ${formatCount(rivals, 'skill')} competed`;
  const model = report.model === null ? [] : renderModel(report.model, { paint });
  return `${[...lines, paint.faint(total), ...model].join('\n')}\n`;
}

/** Failures and problems as findings; a case has no line of its own. */
export function testFindings({ skills, model }: TestReport): ReportedFinding[] {
  const findingAt = (path: string, text: string): ReportedFinding => ({
    id: 'test',
    name: null,
    level: 'error',
    text,
    path,
    line: null,
  });
  const offline = skills.flatMap((skill) => {
    const finding = (file: string, text: string) => findingAt(`${skill.path}/${file}`, text);
    return [
      ...casesOf(skill)
        .filter(({ passed, proposed }) => !passed && !proposed)
        .map(({ place, title, why }) => finding(place.split('#', 1)[0]!, `${place}: ${title}: ${why}`)),
      ...skill.problems.map((problem) => finding('SKILL.md', problem)),
    ];
  });
  if (model === null) return offline;
  return [
    ...offline,
    ...modelCases(model)
      .filter(({ passed, proposed }) => !passed && !proposed)
      .map(({ path, place, title, why }) =>
        findingAt(`${path}/${place.split('#', 1)[0]!}`, `with ${model.name}: ${place}: ${title}: ${why}`),
      ),
    ...wholeProblems(model).map((problem) => findingAt('.', `with ${model.name}: ${problem}`)),
  ];
}

const wholeProblems = ({ problems, stopped }: ModelReport): string[] => [
  ...problems,
  ...(stopped === null ? [] : [`stopped: ${stopped}`]),
];

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** One suite per skill, and one for the model. */
export function renderJunit({ skills, passed, failed, model }: TestReport): string {
  const tested = skills.filter((skill) => casesOf(skill).length + skill.problems.length > 0);
  const asked = model === null ? undefined : modelSuite(model);
  const unreadable = skills.reduce((sum, { problems }) => sum + problems.length, 0);
  const counted = {
    tests: passed + failed + unreadable + (asked?.tests ?? 0),
    failures: failed + (asked?.failures ?? 0),
    errors: unreadable + (asked?.errors ?? 0),
  };
  const suites = tested.map((skill) => {
    const cases = casesOf(skill).filter(({ proposed }) => !proposed);
    const rows = cases.map(({ title, place, passed: isPassed, why }) => {
      const head = `    <testcase classname="${xml(skill.name)}" name="${xml(title)}" file="${xml(place)}"`;
      return isPassed ? `${head}/>` : `${head}>\n      <failure message="${xml(why)}"/>\n    </testcase>`;
    });
    const problems = skill.problems.map(
      (problem) =>
        `    <testcase classname="${xml(skill.name)}" name="cases can be read">\n      <error message="${xml(problem)}"/>\n    </testcase>`,
    );
    const failures = cases.filter((one) => !one.passed).length;
    return [
      `  <testsuite name="${xml(skill.name)}" tests="${cases.length + problems.length}" failures="${failures}" errors="${problems.length}">`,
      ...rows,
      ...problems,
      '  </testsuite>',
    ].join('\n');
  });
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites name="skc test" tests="${counted.tests}" failures="${counted.failures}" errors="${counted.errors}">`, ...suites, ...(asked?.lines ?? []), '</testsuites>'].join('\n')}\n`;
}

function modelSuite(model: ModelReport): {
  tests: number;
  failures: number;
  errors: number;
  lines: string[];
} {
  const cases = modelCases(model).filter(({ proposed }) => !proposed);
  const problems = wholeProblems(model);
  const rows = [
    ...cases.map(({ skill, title, place, passed, why, note }) => {
      const head = `    <testcase classname="${xml(skill)}" name="${xml(title)}" file="${xml(place)}"`;
      return passed
        ? `${head}/>`
        : `${head}>\n      <failure message="${xml(`${why}; ${note}`)}"/>\n    </testcase>`;
    }),
    ...problems.map(
      (problem) =>
        `    <testcase classname="${xml(model.name)}" name="the run is complete">\n      <error message="${xml(problem)}"/>\n    </testcase>`,
    ),
  ];
  const failures = cases.filter((one) => !one.passed).length;
  const counts = { tests: rows.length, failures, errors: problems.length };
  return {
    ...counts,
    lines: [
      `  <testsuite name="${xml(`with ${model.name}`)}" tests="${counts.tests}" failures="${failures}" errors="${counts.errors}">`,
      ...rows,
      '  </testsuite>',
    ],
  };
}

/** A table per skill, for pull requests. */
export function renderTestMarkdown({ skills, rivals, passed, failed, model }: TestReport): string {
  const blocks = skills.flatMap((skill) => {
    const cases = casesOf(skill);
    if (cases.length === 0 && skill.problems.length === 0) return [];
    return [
      `## ${cell(skill.name)}`,
      '',
      '| | case | note |',
      '|---|---|---|',
      ...cases.map(
        (one) => `| ${caseState(one)} | ${cell(one.title)} | ${cell(one.passed ? one.note : one.why)} |`,
      ),
      ...skill.problems.map((problem) => `| **problem** | | ${cell(problem)} |`),
      '',
    ];
  });
  const total = `${passed} passed, ${failed} failed; ${formatCount(rivals, 'skill')} competed.`;
  return `${[...blocks, total, ...(model === null ? [] : modelMarkdown(model))].join('\n')}\n`;
}

function modelMarkdown(model: ModelReport): string[] {
  return [
    '',
    `## With ${cell(model.name)} (${cell(model.model)})`,
    '',
    '| | case | runs | why |',
    '|---|---|---|---|',
    ...modelCases(model).map(
      (one) => `| ${caseState(one)} | ${cell(one.title)} | ${cell(one.note)} | ${cell(one.why)} |`,
    ),
    '',
    ...modelLines(model).map((line) => `- ${cell(line)}`),
  ];
}

const caseState = ({ passed, proposed }: Pick<Case, 'passed' | 'proposed'>) =>
  proposed ? 'proposed' : passed ? 'passed' : '**failed**';

const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');

function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
