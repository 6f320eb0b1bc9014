import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld } from '../../../test/make-world.ts';
import { rowsIn } from '../../../test/rows-in.ts';
import type { QuizView } from '../../skill/quiz/quiz-view.ts';
import type { Asker } from './command-context.ts';
import { createContext } from './create-client.ts';
import { quiz } from './quiz.ts';
import { runCommand } from './run-command.ts';

const text = `---
name: demo
description: D. Use for demos.
quiz:
  title: Entrance
  gate: true
  questions:
    - question: Which one?
      options: [{ label: this, correct: true }, { label: "th\\e[31mat" }]
      explanation: This.
      on-incorrect: { message: Read more., load-skill: basics }
    - question: Which two?
      options: [{ label: left, correct: true }, { label: right }, { label: middle, correct: true }]
---

# Demo
`;
const files = {
  '.skillc/skills/demo/SKILL.md': text,
  '.skillc/skills/basics/SKILL.md':
    '---\nname: basics\ndescription: B. Use for basics.\n---\n\n# Basics\n\nBasic text.\n',
};
const log = { SKC_NO_LOG: '' };

const optionOf = (view: QuizView, label: string) => {
  const asked = view.quizzes[0]!.questions.find(({ options }) =>
    options.some((option) => option.text === label),
  )!;
  return { question: asked.question, option: asked.options.find((option) => option.text === label)!.option };
};
async function answers(world: ReturnType<typeof makeWorld>, ...labels: string[]): Promise<string[]> {
  const { quiz: view } = (await world.run(['quiz', 'demo', '--json'])).json() as { quiz: QuizView };
  return labels.flatMap((label) => {
    const { question, option } = optionOf(view, label);
    return ['--answer', `${question}=${option}`];
  });
}

test('the questions as text, without terminal escape codes', async () => {
  const { stdout, status } = await makeWorld(files).run(['quiz', 'demo']);
  expect(status).toBe(0);
  const lines = stdout.replaceAll(/^ {3}\d\) .*$/gm, '   n) …');
  expect(lines).toBe(`The skill demo is locked. Pass this quiz to read it.

Quiz 1: Entrance
Gate. To pass, get 100 % of the answers right.

1. Which one?
   n) …
   n) …

2. Which two?
   n) …
   n) …
   n) …

A question can have several right options: choose all of them and no others. An answer is final for the attempt.
After a wrong answer, read the text it points you to, then continue. After a failed attempt, a new one starts.
Answer with the tool skc_quiz or skill_quiz (answers such as "1=2" or "1=2,3": question, then options), or with
  skc quiz demo --answer 1=2
`);
  expect(stdout).toContain('th\\u001b[31mat');
});

test('a wrong answer loads the skill it leads to', async () => {
  const world = makeWorld(files);
  const { stdout } = await world.run(['quiz', 'demo', ...(await answers(world, 'th\u001b[31mat'))]);
  expect(stdout).toMatch(
    /^Question 1: wrong\.\nRead more\.\n\nRead the skill basics now:\n\n<skill_context name="basics"/,
  );
  expect(stdout).toContain('Basic text.');
  expect(stdout).not.toContain('This.');
});

test('the log and the statistics show which answers were right, never the choices', async () => {
  const world = makeWorld(files);
  await world.run(['build', 'demo', '-t', 'none']);
  const wrong = await answers(world, 'th\u001b[31mat', 'left');
  await world.run(['quiz', 'demo', ...wrong], { env: log });
  const { quiz: view } = (await world.run(['quiz', 'demo', '--json'])).json() as { quiz: QuizView };
  const [left, middle] = ['left', 'middle'].map((label) => optionOf(view, label).option);
  const right = [...(await answers(world, 'this')), '--answer', `2=${left},${middle}`];
  const { stdout } = await world.run(['quiz', 'demo', ...right], { env: log });
  expect(stdout).toContain('Quiz 1 passed with 100 %.');
  const rows = rowsIn(join(world.project, '.skillc/runtime/demo/.skillc/logs.db'));
  const flags = { skill: 'demo', status: false, reset: false };
  expect(rows.map(({ command, args }) => [command, JSON.parse(String(args))])).toEqual([
    [
      'quiz',
      {
        ...flags,
        answers: [
          { question: 1, right: false },
          { question: 2, right: false },
        ],
        attempts: [{ quiz: 1, passed: false, questions: [1, 2] }],
      },
    ],
    [
      'quiz',
      {
        ...flags,
        answers: [
          { question: 1, right: true },
          { question: 2, right: true },
        ],
        attempts: [{ quiz: 1, passed: true, questions: [1, 2] }],
      },
    ],
  ]);
  const stats = (await world.run(['stats', 'demo', '--group-by', 'quiz', '--json'])).json() as {
    data: unknown;
  };
  const half = { asked: 2, failed: 1, rate: 50, attempts: 2, passes: 1 };
  expect(stats.data).toEqual([
    { question: 1, text: 'Which one?', ...half },
    { question: 2, text: 'Which two?', ...half },
  ]);
  expect((await world.run(['stats', 'demo', '-b', 'quiz'])).stdout).toContain('1. Which one?');
  expect(readFileSync(join(world.home, '.skillc/state.json'), 'utf8')).not.toMatch(/this|left|middle|option/);
});

test.each<[string[], string]>([
  [['--answer', 'x'], 'an answer must be a question and its options, such as 1=2 or 1=2,3'],
  [['--answer', '3=1'], 'there is no question 3'],
  [['--answer', '1=3'], 'question 1 has no option 3'],
  [['--answer', '1=1', '--status'], '--answer excludes --status and --reset'],
])('skc quiz demo %j', async (words, why) => {
  const { status, stderr } = await makeWorld(files).run(['quiz', 'demo', ...words]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`error[E100]: ${why}`)]);
});

/** A person who chooses by label, and is told things. */
function makeAsker(labels: string[][], again: boolean[] = []): Asker & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    choose: async (question, choices, options) => {
      asked.push([question, options]);
      const wanted = labels.shift();
      return wanted && choices.flatMap(({ label }, place) => (wanted.includes(label) ? [place] : []));
    },
    confirm: async () => again.shift() ?? false,
  };
}

test('in a terminal a person is asked until the quiz is passed', async () => {
  const { project: cwd, home } = makeWorld(files);
  const notes: string[] = [];
  const ask = makeAsker([['this'], ['left'], ['this'], ['left', 'middle']], [true]);
  const context = { ...createContext({ cwd, home, env: {}, onNote: (note) => notes.push(note) }), ask };
  const input = { skill: 'demo', answer: [], status: false, reset: false };
  const result = await runCommand('quiz', quiz, { input, context });
  expect(result).toMatchObject({ quiz: { gate: 'open', quizzes: [{ attempts: 2, score: 100 }] } });
  // Always the same way, so that nobody can tell how many options are right.
  expect(ask.asked).toEqual(
    [1, 2, 1, 2].map((number) => [
      `${number}. ${number === 1 ? 'Which one?' : 'Which two?'}`,
      { many: true },
    ]),
  );
  expect(notes).toEqual([
    'Question 1: right.\nThis.',
    'Question 2: wrong.\n\nQuiz 1 not passed: 50 %. Attempt 2 starts now.',
    'Question 1: right.\nThis.',
    'Question 2: right.\n\nQuiz 1 passed with 100 %.',
  ]);
});

test('giving up keeps the answers so far', async () => {
  const { project: cwd, home } = makeWorld(files);
  const context = { ...createContext({ cwd, home, env: {} }), ask: makeAsker([['this']]) };
  const input = { skill: 'demo', answer: [], status: false, reset: false };
  const result = await runCommand('quiz', quiz, { input, context });
  expect(result).toMatchObject({
    answers: [{ question: 1, correct: true }],
    quiz: { gate: 'closed', quizzes: [{ questions: [{ answered: true }, { answered: false }] }] },
  });
});

test('reset locks a skill again', async () => {
  const world = makeWorld(files);
  const { quiz: view } = (await world.run(['quiz', 'demo', '--json'])).json() as { quiz: QuizView };
  const [left, middle] = ['left', 'middle'].map((label) => optionOf(view, label).option);
  await world.run(['quiz', 'demo', ...(await answers(world, 'this')), '--answer', `2=${left},${middle}`]);
  expect((await world.run(['open', 'demo', 'SKILL.md'])).status).toBe(0);
  await world.run(['quiz', 'demo', '--reset']);
  expect((await world.run(['open', 'demo', 'SKILL.md'])).status).toBe(1);
});

test('a skill without a quiz', async () => {
  expect((await makeWorld(files).run(['quiz', 'basics'])).stdout).toBe('The skill basics has no quiz.\n');
});
