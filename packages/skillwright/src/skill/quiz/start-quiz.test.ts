import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { buildIndex } from '../../read/index/build-index.ts';
import { digestSkill } from './digest-skill.ts';
import { createQuizMemory } from './quiz-memory.ts';
import { orderOptions } from './quiz-view.ts';
import type { QuizSkills } from './resolve-branch.ts';
import { type QuizRun, readChoices, startQuiz } from './start-quiz.ts';

const skill = (quiz: string, body = '# Body\n') =>
  `---\nname: demo\ndescription: D.\nquiz:\n${quiz}---\n\n${body}`;

const two = `  - title: Gate
    gate: true
    questions:
      - question: One?
        options: [{ label: a, correct: true }, { label: b }, { label: c }]
        explanation: It is a.
        on-correct: { goto: "## Right", message: Yes. }
        on-incorrect: { load-reference: ./refs/a.md#part, message: No. }
      - question: Two?
        options: [{ label: a, correct: true }, { label: b, correct: true }, { label: c }]
        on-incorrect: { goto: "#wrong", load-reference: refs/none.md }
  - questions:
      - question: Three?
        options: [{ label: a }, { label: b, correct: true }]
        explanation: It is b.
`;
const files = {
  'SKILL.md': skill(
    two,
    '# Body\n\n## Right *Way*\n\nright\n\n## Right\n\nexactly\n\n### Below\n\ntoo\n\n## Wrong\n\nwrong\n',
  ),
  'refs/a.md': '\ufeff# A\n',
};

const nothing = { message: null, section: null, reference: null, skill: null, problems: [] };

function start(tree: Record<string, string> = files, session = 's1', skills?: QuizSkills) {
  const dir = makeDirectory(tree);
  const memory = createQuizMemory(session);
  return { dir, memory, run: startQuiz(dir, { memory, skills }) };
}

/** Numbers of the options with these labels. */
const pick = (run: QuizRun, question: number, ...labels: string[]) =>
  run
    .view()
    .quizzes.flatMap(({ questions }) => questions)
    .find((asked) => asked.question === question)!
    .options.filter(({ text }) => labels.includes(text))
    .map(({ option }) => option);

test('the view shows everything except the answers', () => {
  const { run } = start();
  const view = run.view();
  expect(JSON.stringify(view)).not.toMatch(/correct|It is|Yes|No\.|refs/);
  const question = (number: number, text: string, labels: string[]) => ({
    question: number,
    text,
    options: expect.toSatisfy((options: { option: number; text: string }[]) => {
      const texts = options.map((option) => option.text).sort();
      const numbers = options.map(({ option }) => option);
      return texts.join() === labels.join() && numbers.join() === labels.map((_, n) => n + 1).join();
    }),
    answered: false,
    explanation: null,
  });
  const quiz = { description: null, passing_score: 100, passed: false, attempts: 0, score: null };
  expect(view).toEqual({
    skill: 'demo',
    gate: 'closed',
    quizzes: [
      {
        ...{ ...quiz, quiz: 1, title: 'Gate', gate: true },
        questions: [question(1, 'One?', ['a', 'b', 'c']), question(2, 'Two?', ['a', 'b', 'c'])],
      },
      { ...quiz, quiz: 2, title: null, gate: false, questions: [question(3, 'Three?', ['a', 'b'])] },
    ],
  });
});

test('options keep their order within a session and differ between sessions', () => {
  const key = { secret: 'x', quiz: 0, question: 0 };
  const orders = Array.from({ length: 50 }, (_, n) => orderOptions(6, { ...key, session: `s${n}` }).join());
  expect(orderOptions(6, { ...key, session: 's0' }).join()).toBe(orders[0]);
  expect(new Set(orders).size).toBeGreaterThan(30);
  expect(orders[0]!.split(',').sort()).toEqual(['0', '1', '2', '3', '4', '5']);
  // Every option is first in some session.
  expect(new Set(orders.map((order) => order[0])).size).toBe(6);
});

describe('answers', () => {
  test('a right one shows the explanation and its target', async () => {
    const { run } = start();
    expect(await run.answer(1, pick(run, 1, 'a'))).toEqual({
      ...nothing,
      quiz: 1,
      question: 1,
      correct: true,
      explanation: 'It is a.',
      message: 'Yes.',
      section: { section: 'Right', content: '## Right\n\nexactly\n\n### Below\n\ntoo', truncated: false },
      attempt: null,
    });
  });

  test('a wrong one at a gate shows the text to read, without the explanation', async () => {
    const { run } = start();
    expect(await run.answer(1, pick(run, 1, 'b'))).toEqual({
      ...nothing,
      quiz: 1,
      question: 1,
      correct: false,
      explanation: null,
      message: 'No.',
      reference: { path: 'refs/a.md', content: '# A\n', truncated: false },
      attempt: null,
    });
    expect(await run.answer(2, pick(run, 2, 'a', 'c'))).toEqual({
      ...nothing,
      quiz: 1,
      question: 2,
      correct: false,
      explanation: null,
      section: { section: 'Wrong', content: '## Wrong\n\nwrong', truncated: false },
      problems: ['the file to read does not exist or is not text'],
      attempt: { score: 0, passed: false, attempts: 1 },
    });
  });

  test('a wrong one without a gate is explained', async () => {
    const { run } = start();
    expect(await run.answer(3, pick(run, 3, 'a'))).toMatchObject({ correct: false, explanation: 'It is b.' });
  });

  test.each<[string, string[], boolean]>([
    ['exactly the set', ['a', 'b'], true],
    ['a part of it', ['a'], false],
    ['more than it', ['a', 'b', 'c'], false],
    ['another', ['c'], false],
  ])('several correct options: %s', async (_, labels, correct) => {
    const { run } = start();
    expect((await run.answer(2, pick(run, 2, ...labels))).correct).toBe(correct);
  });

  test('the same option twice counts once', async () => {
    const { run } = start();
    const [option] = pick(run, 1, 'a');
    expect((await run.answer(1, [option!, option!])).correct).toBe(true);
  });

  test('passing opens the gate and shows the explanations', async () => {
    const { run } = start();
    const answers = await run.answerAll([
      { question: 1, options: pick(run, 1, 'a') },
      { question: 2, options: pick(run, 2, 'a', 'b') },
    ]);
    expect(answers.map(({ attempt }) => attempt)).toEqual([null, { score: 100, passed: true, attempts: 1 }]);
    const view = run.view();
    expect([view.gate, view.quizzes[0]!.questions[0]!.explanation]).toEqual(['open', 'It is a.']);
    await expect(run.answer(1, [1])).rejects.toMatchObject({ code: 'E100' });
    run.reset();
    expect(run.view().gate).toBe('closed');
  });

  test('explains a wrong answer of an attempt that passes', async () => {
    const quiz = `  gate: true
  passing-score: 0
  questions:
    - question: One?
      options: [{ label: a, correct: true }, { label: b }]
      explanation: It is a.
`;
    const { run } = start({ 'SKILL.md': skill(quiz) });
    expect(await run.answer(1, pick(run, 1, 'b'))).toMatchObject({ correct: false, explanation: 'It is a.' });
  });

  test.each<[string, { question: number; options: number[] }[], string]>([
    ['no such question', [{ question: 4, options: [1] }], 'there is no question 4'],
    ['question 0', [{ question: 0, options: [1] }], 'there is no question 0'],
    ['no option', [{ question: 1, options: [] }], 'no option was chosen for question 1'],
    ['no such option', [{ question: 1, options: [1, 4] }], 'question 1 has no option 4'],
    ['half an option', [{ question: 1, options: [1.5] }], 'question 1 has no option 1.5'],
    [
      'twice',
      [
        { question: 1, options: [1] },
        { question: 1, options: [2] },
      ],
      'question 1 is answered twice',
    ],
    [
      'one good and one bad',
      [
        { question: 3, options: [1] },
        { question: 9, options: [1] },
      ],
      'there is no question 9',
    ],
  ])('%s: nothing is answered', async (_, choices, why) => {
    const { run, memory, dir } = start();
    await expect(run.answerAll(choices)).rejects.toMatchObject({
      code: 'E100',
      message: `${why}`,
    });
    expect(memory.read(digestSkill(dir))).toBeUndefined();
  });

  test('are final for the attempt', async () => {
    const { run } = start();
    await run.answer(1, pick(run, 1, 'b'));
    await expect(run.answer(1, pick(run, 1, 'a'))).rejects.toMatchObject({
      message: 'question 1 is already answered in this attempt',
    });
    await run.answer(2, pick(run, 2, 'a', 'b'));
    expect(run.view().quizzes[0]).toMatchObject({ attempts: 1, score: 50, passed: false });
    expect((await run.answer(1, pick(run, 1, 'a'))).correct).toBe(true);
  });

  test('stores no chosen options', async () => {
    const { run, memory } = start();
    await run.answer(1, pick(run, 1, 'b'));
    expect(memory.save()).toEqual([
      {
        digest: expect.any(String),
        progress: {
          quizzes: [
            { passed: false, attempts: 0, score: null, answers: { 0: false }, known: [] },
            { passed: false, attempts: 0, score: null, answers: {}, known: [] },
          ],
        },
      },
    ]);
  });
});

describe('other skills', () => {
  const asking = (name: string, other: string) =>
    `---\nname: ${name}\ndescription: D.\nquiz:\n  gate: true\n  questions:\n    - question: Q?\n      options: [{ label: a, correct: true }, { label: b }]\n      on-incorrect: { load-skill: ${other} }\n---\n`;
  const plain = (name: string) => `---\nname: ${name}\ndescription: D.\n---\n`;

  /** Targets of the wrong answer in `first`. */
  async function lead(tree: Record<string, string>) {
    const root = makeDirectory(
      Object.fromEntries(Object.entries(tree).map(([name, text]) => [`${name}/SKILL.md`, text])),
    );
    const skills: QuizSkills = {
      locate: async (name) => (name in tree ? join(root, name) : undefined),
      load: async (name) => `text of ${name}`,
    };
    const run = startQuiz(join(root, 'first'), { memory: createQuizMemory('s'), skills });
    const { skill: loaded, problems } = await run.answer(1, pick(run, 1, 'b'));
    return { loaded, problems };
  }

  test.each<[string, Record<string, string>, unknown]>([
    [
      'are loaded',
      { first: asking('first', 'second'), second: plain('second') },
      { loaded: { name: 'second', content: 'text of second' }, problems: [] },
    ],
    [
      'may have a quiz too',
      { first: asking('first', 'second'), second: asking('second', 'third'), third: plain('third') },
      { loaded: { name: 'second', content: 'text of second' }, problems: [] },
    ],
    [
      'must be there',
      { first: asking('first', 'second') },
      { loaded: null, problems: ['the skill second was not found'] },
    ],
    [
      'are others',
      { first: asking('first', 'first') },
      { loaded: null, problems: ['the skill to load is this one'] },
    ],
    [
      'must not lead back',
      {
        first: asking('first', 'second'),
        second: asking('second', 'third'),
        third: asking('third', 'first'),
      },
      { loaded: null, problems: ['the quiz of second leads back to this skill'] },
    ],
    [
      'may refer to each other',
      {
        first: asking('first', 'second'),
        second: asking('second', 'third'),
        third: asking('third', 'second'),
      },
      { loaded: { name: 'second', content: 'text of second' }, problems: [] },
    ],
  ])('%s', async (_, tree, expected) => {
    expect(await lead(tree)).toEqual(expected);
  });

  test('are only named when they cannot be loaded', async () => {
    const { run } = start({ 'SKILL.md': asking('demo', 'other') });
    expect((await run.answer(1, pick(run, 1, 'b'))).skill).toEqual({ name: 'other', content: null });
  });
});

test('a skill without a quiz has an empty view', () => {
  const { run } = start({ 'SKILL.md': '---\nname: demo\ndescription: D.\n---\n' });
  expect(run.view()).toEqual({ skill: 'demo', gate: 'none', quizzes: [] });
});

test.each([
  '  x\n',
  '  gate: true\n',
  '  gate: true\n  questions:\n    - question: Q?\n      options: [{ label: a }, { label: b }]\n',
])('a quiz that cannot be read: %j', (quiz) => {
  expect(() => start({ 'SKILL.md': skill(quiz) })).toThrow(/unreadable frontmatter.*its quiz cannot be read/);
});

test('an answer that points at SKILL.md itself, or out of the skill, returns no text', async () => {
  for (const target of ['SKILL.md', './SKILL.md#x', '../other.md', '/etc/passwd', 'refs', 'link.md']) {
    const quiz = `  gate: true\n  questions:\n    - question: Q?\n      options: [{ label: a, correct: true }, { label: b }]\n      on-incorrect: { load-reference: "${target}" }\n`;
    const dir = makeDirectory({ 'SKILL.md': skill(quiz), 'refs/a.md': '', 'link.md': { link: 'SKILL.md' } });
    const run = startQuiz(dir, { memory: createQuizMemory('s') });
    const { reference, problems } = await run.answer(1, pick(run, 1, 'b'));
    expect([target, reference, problems]).toEqual([
      target,
      null,
      ['the file to read does not exist or is not text'],
    ]);
  }
});

test('the digest equals that of a build, and changes with every file', () => {
  const dir = makeDirectory({ ...files, '.hidden': 'x', 'deep/er/b.bin': new Uint8Array([0, 255]) });
  const indexDir = makeDirectory();
  const build = () =>
    buildIndex({ sourceDir: dir, indexDir, tokenizer: 'porter', now: new Date() }).sourceHash;
  const before = digestSkill(dir);
  expect(before).toBe(build());
  writeFileSync(join(dir, '.hidden'), 'y');
  expect(digestSkill(dir)).toBe(before);
  writeFileSync(join(dir, 'refs/a.md'), '# B\n');
  expect(digestSkill(dir)).not.toBe(before);
  expect(digestSkill(dir)).toBe(build());
});

test.each<[string, unknown]>([
  ['1=2', { question: 1, options: [2] }],
  [' 12 = 3, 4 ', { question: 12, options: [3, 4] }],
  ['1:2+3', { question: 1, options: [2, 3] }],
  ['1=2 3', { question: 1, options: [2, 3] }],
])('%j is read', (written, choice) => {
  expect(readChoices([written])).toEqual([choice]);
});

test.each(['', '1', '1=', '=2', '1=a', '1=2,', '-1=2', '1=2=3', '1=2\n;', '9999999=1'])(
  '%j is not an answer',
  (written) => {
    expect(() => readChoices([written])).toThrow(/an answer must be a question and its options/);
  },
);
