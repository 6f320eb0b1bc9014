// The report of skc test as text, JUnit XML and Markdown.

import { formatCount, oneLine } from '../../base/diagnostics/index.ts';
import { type Line, linesOf, textOf, type View } from './define-command.ts';
import type { ModelReport } from './model-report.ts';
import type { ReportedFinding } from './render-findings.ts';
import { modelCases, modelLines, renderModel } from './render-model.ts';
import { renderTable } from './render-table.ts';
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
export function testLines(report: TestReport, view: View): Line[] {
  const { paint } = view;
  const { rivals, passed, failed, proposed } = report;
  const lines = report.skills.map((skill) => {
    const cases = casesOf(skill);
    const written = skill.written.map(({ file, added }) => [
      `${report.dry_run ? 'would write' : 'wrote'} ${oneLine(`${skill.path}/${file}`)}: ${formatCount(added.length, 'new case')}`,
      added.map((text) => `  ${oneLine(text)}`),
    ]);
    if (cases.length === 0 && skill.tasks === 0 && skill.problems.length === 0) return written;
    const counted = cases.filter((one) => !one.proposed);
    const tokens = skill.questions.map((question) => question.tokens).filter((count) => count !== null);
    const wanted = skill.queries.filter((query) => query.should_trigger && !query.proposed);
    const byText = wanted.filter((query) => query.text_rank === 1).length;
    const notes = linesOf([
      // The second opinion is worth a word where it differs.
      byText !== wanted.filter(({ passed: isPassed }) => isPassed).length &&
        `first for ${byText} of ${formatCount(wanted.length, 'request')} when whole texts are searched`,
      tokens.length > 0 && `${middleOf(tokens)} tokens to an answer`,
      skill.tasks > 0 && report.model === null && `${formatCount(skill.tasks, 'task')} for a model not run`,
      counted.length < cases.length && `${cases.length - counted.length} proposed`,
    ]);
    const result =
      counted.length === 0
        ? 'nothing was run that counts'
        : `${counted.filter((one) => one.passed).length} of ${counted.length} passed`;
    const sum = `${paint.strong(oneLine(skill.name))}  ${result}`;
    return [
      written,
      `${sum}${notes.length === 0 ? '' : paint.faint(`  ${notes.join(', ')}`)}`,
      cases
        .filter((one) => !one.passed)
        .map(({ title, place, why, note, proposed: isProposed }) => [
          `  ${isProposed ? paint.faint('would fail') : paint.error('failed')}  ${oneLine(title)}  ${paint.faint(`${place}${note === '' ? '' : `, ${note}`}`)}`,
          `          ${oneLine(why)}`,
        ]),
      skill.problems.map((problem) => `  ${paint.error('problem')}  ${oneLine(problem)}`),
    ];
  });
  const more = proposed === 0 ? '' : `, ${proposed} proposed`;
  const total = `${passed} passed, ${failed} failed${more}; ${formatCount(rivals, 'skill')} competed`;
  return [
    lines,
    paint.faint(total),
    confusionLines(report, view),
    improvedLines(report, view),
    report.model && renderModel(report.model, { paint }),
  ];
}

/** Larger matrices are shown by their cells alone. */
const MAX_GRID = 12;
const MAX_CELLS = 20;
const MAX_CHANGES = 5;

/** A rate, or a dash for one that does not exist. */
const percentOf = (share: number | null): string => (share === null ? '-' : `${Math.round(share * 100)} %`);

function confusionLines({ confusion, trend }: TestReport, view: View): Line {
  if (confusion === null) return null;
  const { skills, cells, held_out: heldOut } = confusion;
  const nameOf = (name: string | null, other: string) => (name === null ? other : oneLine(name));
  const wrong = cells.filter(({ expected, chosen }) => expected !== null && expected !== chosen);
  const chosen = [...new Set(cells.map((cell) => cell.chosen))].sort((a, b) =>
    a === null ? 1 : b === null ? -1 : a < b ? -1 : 1,
  );
  const expected = [...new Set(cells.map((cell) => cell.expected))];
  const requests = (row: string | null, column: string | null) =>
    cells.find((cell) => cell.expected === row && cell.chosen === column)?.requests ?? '';
  const details =
    chosen.length > MAX_GRID
      ? wrong
          .slice(0, MAX_CELLS)
          .map(
            (cell) =>
              `  ${nameOf(cell.expected, '')} lost ${formatCount(cell.requests, 'request')} to ${nameOf(cell.chosen, 'no skill')}`,
          )
      : [
          '',
          renderTable(
            ['should be chosen', ...chosen.map((name) => nameOf(name, 'none'))],
            expected.map((row) => [
              nameOf(row, 'another or none'),
              ...chosen.map((column) => requests(row, column)),
            ]),
            view,
          ),
        ];
  return [
    '',
    renderTable(
      ['skill', 'requests', 'chosen', 'wrongly', 'precision', 'recall'],
      skills.map((one) => [
        one.skill,
        one.requests,
        one.chosen,
        one.wrongly_chosen,
        percentOf(one.precision),
        percentOf(one.recall),
      ]),
      view,
    ),
    details,
    `precision ${percentOf(confusion.precision)}, recall ${percentOf(confusion.recall)}; held out: ${formatCount(heldOut.requests, 'request')}, precision ${percentOf(heldOut.precision)}, recall ${percentOf(heldOut.recall)}`,
    trend && [
      `since ${trend.since.slice(0, 16).replace('T', ' ')} (precision ${percentOf(trend.precision)}, recall ${percentOf(trend.recall)}): ${trend.newly_passed} newly passed, ${trend.newly_failed.length} newly failed`,
      trend.newly_failed
        .slice(0, MAX_CHANGES)
        .map(({ skill, query }) => `  newly failed  ${oneLine(skill)}  ${oneLine(query)}`),
    ],
  ];
}

function improvedLines({ improved }: TestReport, { paint }: View): Line {
  const countOf = ({ before, after }: TestReport['improved'][number]['seen']) =>
    `${before.passed} → ${after.passed} of ${formatCount(after.requests, 'request')}`;
  return improved.map((one) =>
    one.after === null
      ? ['', `${paint.strong(oneLine(one.skill))}  no better description found`]
      : [
          '',
          `${paint.strong(oneLine(one.skill))}  ${one.written ? 'description written' : 'a better description (--apply writes it)'}`,
          `  before  ${oneLine(one.before)}`,
          `  after   ${oneLine(one.after)}`,
          `  ${countOf(one.seen)} it was written for, ${countOf(one.held_out)} held out`,
        ],
  );
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
export function renderJunit({ skills, model }: TestReport): string {
  const suites = [
    ...skills
      .filter((skill) => casesOf(skill).length + skill.problems.length > 0)
      .map((skill) => ({
        name: skill.name,
        owner: skill.name,
        cases: casesOf(skill).map((one) => ({ ...one, skill: skill.name })),
        problems: skill.problems,
        expectation: 'cases can be read',
      })),
    ...(model === null
      ? []
      : [
          {
            name: `with ${model.name}`,
            owner: model.name,
            cases: modelCases(model).map((one) => ({ ...one, why: `${one.why}; ${one.note}` })),
            problems: wholeProblems(model),
            expectation: 'the run is complete',
          },
        ]),
  ].map(({ name, owner, cases, problems, expectation }) => {
    const counted = cases.filter(({ proposed }) => !proposed);
    const failures = counted.filter(({ passed }) => !passed).length;
    const counts = `tests="${counted.length + problems.length}" failures="${failures}" errors="${problems.length}"`;
    const lines = [
      `  <testsuite name="${xml(name)}" ${counts}>`,
      ...counted.map(({ skill, title, place, passed, why }) => {
        const head = `    <testcase classname="${xml(skill)}" name="${xml(title)}" file="${xml(place)}"`;
        return passed ? `${head}/>` : `${head}>\n      <failure message="${xml(why)}"/>\n    </testcase>`;
      }),
      ...problems.map(
        (problem) =>
          `    <testcase classname="${xml(owner)}" name="${expectation}">\n      <error message="${xml(problem)}"/>\n    </testcase>`,
      ),
      '  </testsuite>',
    ];
    return { lines, tests: counted.length + problems.length, failures, errors: problems.length };
  });
  const sum = (count: 'tests' | 'failures' | 'errors') =>
    suites.reduce((total, suite) => total + suite[count], 0);
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites name="skc test" tests="${sum('tests')}" failures="${sum('failures')}" errors="${sum('errors')}">`, ...suites.flatMap(({ lines }) => lines), '</testsuites>'].join('\n')}\n`;
}

/** A table per skill, for pull requests. */
export function renderTestMarkdown({ skills, rivals, passed, failed, model }: TestReport): string {
  const blocks = skills.map((skill) => {
    const cases = casesOf(skill);
    return (
      cases.length + skill.problems.length > 0 && [
        ...[`## ${cell(skill.name)}`, '', '| | case | note |', '|---|---|---|'],
        cases.map(
          (one) => `| ${caseState(one)} | ${cell(one.title)} | ${cell(one.passed ? one.note : one.why)} |`,
        ),
        skill.problems.map((problem) => `| **problem** | | ${cell(problem)} |`),
        '',
      ]
    );
  });
  const total = `${passed} passed, ${failed} failed; ${formatCount(rivals, 'skill')} competed.`;
  return textOf([blocks, total, model && modelMarkdown(model)]);
}

function modelMarkdown(model: ModelReport): Line {
  return [
    '',
    `## With ${cell(model.name)} (${cell(model.model)})`,
    '',
    '| | case | runs | why |',
    '|---|---|---|---|',
    modelCases(model).map(
      (one) => `| ${caseState(one)} | ${cell(one.title)} | ${cell(one.note)} | ${cell(one.why)} |`,
    ),
    '',
    modelLines(model).map((line) => `- ${cell(line)}`),
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
