// The example skills are valid and work.

import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../src/host/runtime/create-session.ts';
import { makeWorld, type World } from './make-world.ts';
import { requireProgram } from './required-program.ts';

const examples = fileURLToPath(new URL('../../../examples/skills', import.meta.url));

function worldWith(name: string): World {
  const world = makeWorld();
  cpSync(join(examples, name), join(world.project, '.agents/skills', name), { recursive: true });
  return world;
}

/** The profile of each example; those with our own fields need one that knows them. */
const profiles: Record<string, string> = {
  careful: 'claude-code',
  'csv-report': 'registry',
  'release-notes': 'spec',
  'schema-change': 'registry',
  'text-statistics': 'registry',
};

test('every example is judged here', () => {
  expect(readdirSync(examples).sort()).toEqual(Object.keys(profiles));
});

test.each(Object.entries(profiles))('%s: lint (%s) and scan find nothing', async (name, profile) => {
  const world = worldWith(name);
  const path = `.agents/skills/${name}`;
  const lint = await world.run(['lint', path, '--profile', profile, '--author']);
  const scan = await world.run(['scan', path, '--json', '--author']);
  expect([lastLine(lint.stdout), scan.json()]).toMatchObject([
    `1 skill (${profile}): no errors, no warnings`,
    { clean: 1, caution: 0, danger: 0, skills: [{ findings: [], skipped: [] }] },
  ]);
});

test.each(['spec', 'strict'])('our own skill: lint (%s) and scan find nothing', async (profile) => {
  const own = join(examples, '../../skills/skillwright');
  const world = makeWorld();
  const lint = await world.run(['lint', own, '--profile', profile]);
  const scan = await world.run(['scan', own]);
  expect([lastLine(lint.stdout), scan.stdout]).toEqual([
    `1 skill (${profile}): no errors, no warnings`,
    '1 skill: 0 danger, 0 caution, 1 clean\n',
  ]);
});

describe('csv-report', () => {
  beforeEach((context) => {
    for (const program of ['bwrap', 'python3']) requireProgram(context, program);
  });
  const { PATH = '' } = process.env;
  const run = async (script: string, stdin: string, args: string[] = []) => {
    const words = ['run', 'csv-report', script, '--stdin', stdin, ...args];
    const { stdout, stderr } = await worldWith('csv-report').run(words, { env: { PATH } });
    return `${stdout}${stderr}`.replace(/^warning\[W070\].*\nhelp: .*\n/m, '');
  };

  const profilesOf: [string, string, unknown][] = [
    [
      'a header alone',
      'a,b\n',
      {
        rows: 0,
        columns: {
          a: { type: 'empty', missing: 0, distinct: 0 },
          b: { type: 'empty', missing: 0, distinct: 0 },
        },
      },
    ],
    [
      'CRLF and empty lines',
      'a\r\n1\r\n\r\n2\r\n',
      { rows: 2, columns: { a: { type: 'number', missing: 0, distinct: 2, min: 1, max: 2, mean: 1.5 } } },
    ],
    [
      'a byte order mark',
      '\ufeffa\nx\n',
      { rows: 1, columns: { a: { type: 'text', missing: 0, distinct: 1, common: ['x'] } } },
    ],
    [
      'not a number',
      'a\nnan\ninf\n',
      { rows: 2, columns: { a: { type: 'text', missing: 0, distinct: 2, common: ['nan', 'inf'] } } },
    ],
  ];
  test.each(profilesOf)('profiles %s', async (_, csv, expected) => {
    expect(JSON.parse(await run('profile.py', csv))).toEqual(expected);
  });

  test.each([
    ['profile.py', '', [], 'there is no data on standard input'],
    ['profile.py', 'a,b\n1\n', [], 'row 2 has 1 values, the header has 2'],
    ['chart.sh', 'a,b\n', ['a', 'c'], 'no such column'],
    ['chart.sh', 'a,b\n', ['a'], 'Usage: chart.sh LABEL_COLUMN NUMBER_COLUMN'],
    ['save.js', 'x', ['../x'], 'give a name of letters, digits, dots and hyphens'],
  ])('%s refuses %j %j', async (script, stdin, args, why) => {
    expect(await run(script, stdin, args)).toContain(`--- stderr\n${why}\n`);
  });

  test('a column may be called what it likes', async () => {
    const column = 'system("touch /tmp/x")';
    expect(await run('chart.sh', `a,${column}\nx,2\nx,2\n`, ['a', column])).toBe(
      `${'x'.padEnd(12)}       4.00 ${'#'.repeat(40)}\n`,
    );
  });
});

describe('schema-change', () => {
  test('is closed to a session until the right options are found by their text', async () => {
    const { project: cwd, home } = worldWith('schema-change');
    const session = await createSession({ cwd, home, trust: true, discovery: { cache: false } });
    const reference = { name: 'schema-change' };
    const closed = await session.load(reference);
    expect([closed.status, closed.text.includes('Expand: add columns')]).toEqual(['quiz', false]);
    const right = [/let the program write both/, /restore of the backup|wait for locks/];
    const choices = closed.quiz!.quizzes[0]!.questions.map(({ question, options }, index) => ({
      question,
      options: options.filter(({ text }) => right[index]!.test(text)).map(({ option }) => option),
    }));
    const { answers, quiz } = await session.answerQuiz(reference, choices);
    expect([answers.map(({ correct }) => correct), quiz.gate]).toEqual([[true, true], 'open']);
    const open = await session.load(reference);
    expect([open.status, open.text.includes('Expand: add columns')]).toEqual(['loaded', true]);
  });
});

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
