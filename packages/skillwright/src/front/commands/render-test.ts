// The report of skc test as text, JUnit XML and Markdown.

import type { View } from './define-command.ts';
import type { TestReport } from './test.ts';
import { oneLine } from './text-width.ts';

interface Case {
  readonly title: string;
  readonly place: string;
  readonly passed: boolean;
  readonly why: string;
  readonly note: string;
}

type TestedSkill = TestReport['skills'][number];

function casesOf({ queries, questions }: TestedSkill): Case[] {
  return [
    ...queries.map(({ query, source, position, passed, why, should_trigger: wanted }) => ({
      title: query,
      place: `${source}#${position}`,
      passed,
      why,
      note: wanted ? '' : 'should not trigger',
    })),
    ...questions.map(({ question, source, position, passed, why, section, tokens }) => ({
      title: question,
      place: `${source}#${position}`,
      passed,
      why,
      note: tokens === null ? `answered by '${section}'` : `${tokens} tokens`,
    })),
  ];
}

/** Failures with their reasons, then one line per skill. */
export function renderTest({ skills, rivals, passed, failed }: TestReport, { paint }: View): string {
  const lines = skills.flatMap((skill) => {
    const cases = casesOf(skill);
    if (cases.length === 0 && skill.tasks === 0 && skill.problems.length === 0) return [];
    const failures = cases.filter((one) => !one.passed);
    const tokens = skill.questions.map((question) => question.tokens).filter((count) => count !== null);
    const notes = [
      ...(tokens.length === 0 ? [] : [`${middleOf(tokens)} tokens to an answer`]),
      ...(skill.tasks === 0 ? [] : [`${skill.tasks} tasks need a model and were not run`]),
    ];
    const sum = `${paint.strong(oneLine(skill.name))}  ${cases.length - failures.length} of ${cases.length} passed`;
    return [
      `${sum}${notes.length === 0 ? '' : paint.faint(`  ${notes.join(', ')}`)}`,
      ...failures.flatMap(({ title, place, why, note }) => [
        `  ${paint.error('failed')}  ${oneLine(title)}  ${paint.faint(`${place}${note === '' ? '' : `, ${note}`}`)}`,
        `          ${oneLine(why)}`,
      ]),
      ...skill.problems.map((problem) => `  ${paint.error('problem')}  ${oneLine(problem)}`),
    ];
  });
  const total = `${passed} passed, ${failed} failed; ${rivals} skills competed`;
  return `${[...lines, paint.faint(total)].join('\n')}\n`;
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** One suite per skill. */
export function renderJunit({ skills, passed, failed }: TestReport): string {
  const suites = skills.map((skill) => {
    const cases = casesOf(skill);
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
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites tests="${passed + failed}" failures="${failed}">`, ...suites, '</testsuites>'].join('\n')}\n`;
}

/** A table per skill, for pull requests. */
export function renderMarkdown({ skills, rivals, passed, failed }: TestReport): string {
  const blocks = skills.flatMap((skill) => {
    const cases = casesOf(skill);
    if (cases.length === 0 && skill.problems.length === 0) return [];
    return [
      `## ${cell(skill.name)}`,
      '',
      '| | case | note |',
      '|---|---|---|',
      ...cases.map(
        (one) =>
          `| ${one.passed ? 'passed' : '**failed**'} | ${cell(one.title)} | ${cell(one.passed ? one.note : one.why)} |`,
      ),
      ...skill.problems.map((problem) => `| **problem** | | ${cell(problem)} |`),
      '',
    ];
  });
  return `${[...blocks, `${passed} passed, ${failed} failed; ${rivals} skills competed.`].join('\n')}\n`;
}

const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');

function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
