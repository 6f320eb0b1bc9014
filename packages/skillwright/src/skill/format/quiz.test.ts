import { expect, test } from 'vitest';
import type { FormatIssue } from './format-issue.ts';
import { readFrontmatter } from './frontmatter.ts';
import { checkQuiz, QuizLayer, QuizList } from './quiz.ts';

const options = [{ label: 'yes', correct: true }, { label: 'no' }];
const quiz = { questions: [{ question: 'Really?', options }] };

test('one quiz is a list of one, with the defaults filled in', () => {
  const yaml = `quiz:
  title: 1.10
  gate: yes
  questions:
    - question: Which version?
      options: [{ label: 1.10, correct: on }, { label: 2.0 }]
      explanation: See the log.
      on-correct: { goto: "## Next" }
      on-incorrect: { load-skill: basics, load-reference: references/a.md, message: Read it. }`;
  const { data } = readFrontmatter(`---\n${yaml}\n---\n`);
  expect(checkQuiz(data!.quiz)).toEqual([]);
  expect(QuizLayer.parse(data)).toEqual({
    quiz: [
      {
        title: '1.10',
        gate: true,
        'passing-score': 100,
        questions: [
          {
            question: 'Which version?',
            options: [
              { label: '1.10', correct: true },
              { label: '2.0', correct: false },
            ],
            explanation: 'See the log.',
            'on-correct': { goto: '## Next' },
            'on-incorrect': {
              'load-skill': 'basics',
              'load-reference': 'references/a.md',
              message: 'Read it.',
            },
          },
        ],
      },
    ],
  });
  expect(QuizLayer.parse({ name: 'x' })).toEqual({});
});

type Fault = [FormatIssue['kind'], FormatIssue['severity'], string, string];
const faults = (value: unknown): Fault[] =>
  checkQuiz(value).map((issue) => [issue.kind, issue.severity, issue.path.join('.'), issue.message]);

test.each<[unknown, Fault[]]>([
  ['x', [['type', 'error', 'quiz', 'quiz must be a quiz or a list of quizzes, not the text "x"']]],
  [null, [['type', 'error', 'quiz', 'quiz must be a quiz or a list of quizzes, not nothing']]],
  [[], [['empty', 'error', 'quiz', 'quiz must not be empty']]],
  [[5], [['type', 'error', 'quiz.0', 'quiz[0] must be a mapping, not the number 5']]],
  [{}, [['missing', 'error', 'quiz.questions', "missing 'questions'"]]],
  [
    [{ questions: [] }],
    [['empty', 'error', 'quiz.0.questions', 'questions must have at least one question']],
  ],
  [
    { ...quiz, 'passing-score': '80%' },
    [
      [
        'type',
        'error',
        'quiz.passing-score',
        'passing-score must be a number from 0 to 100, not the text "80%"',
      ],
    ],
  ],
  [
    { ...quiz, 'passing-score': 101 },
    [
      [
        'value',
        'error',
        'quiz.passing-score',
        'passing-score must be a number from 0 to 100, not the number 101',
      ],
    ],
  ],
  [
    { ...quiz, gate: 'maybe' },
    [['type', 'error', 'quiz.gate', 'gate must be true or false, not the text "maybe"']],
  ],
  [
    { ...quiz, passing_score: 80 },
    [['unknown', 'warning', 'quiz.passing_score', "unknown key 'passing_score' in quiz"]],
  ],
  [
    { questions: [{ question: 'Q', options: [{ label: 'a' }, { label: 'b' }] }] },
    [
      [
        'value',
        'error',
        'quiz.questions.0.options',
        "options must have at least one entry with 'correct: true'",
      ],
    ],
  ],
  [
    { questions: [{ question: 'Q', options: [{ label: 'a', correct: true }] }] },
    [['length', 'error', 'quiz.questions.0.options', 'options must have 2 to 6 entries, not 1']],
  ],
  [
    [
      {
        questions: [
          { question: 'Q', options: Array.from({ length: 7 }, (_, n) => ({ label: n, correct: n === 0 })) },
        ],
      },
    ],
    [['length', 'error', 'quiz.0.questions.0.options', 'options must have 2 to 6 entries, not 7']],
  ],
  [
    { questions: [{ question: 'Q', options: options.map((option) => ({ ...option, correct: true })) }] },
    [
      [
        'value',
        'error',
        'quiz.questions.0.options',
        'all options are correct, so the question tests nothing',
      ],
    ],
  ],
  [
    { questions: [{ question: 'Q', options: [...options, { label: 'no' }] }] },
    [['value', 'error', 'quiz.questions.0.options.2.label', "the option 'no' appears twice"]],
  ],
  [
    [quiz, quiz],
    [['value', 'error', 'quiz.1.questions.0.question', 'the same question is asked in quiz[0].questions[0]']],
  ],
  [{ questions: [{ options }] }, [['missing', 'error', 'quiz.questions.0.question', "missing 'question'"]]],
  [
    { questions: [{ question: 'Q', options, 'on-correct': {}, 'on-incorrect': { load_skill: 'x' } }] },
    [
      ['empty', 'error', 'quiz.questions.0.on-correct', 'on-correct has no action'],
      [
        'unknown',
        'warning',
        'quiz.questions.0.on-incorrect.load_skill',
        "unknown key 'load_skill' in on-incorrect",
      ],
    ],
  ],
])('%j', (value, expected) => {
  expect(faults(value)).toEqual(expected);
});

test('the schema rejects every quiz the check reports, apart from pointless ones', () => {
  for (const value of [quiz, [quiz], { ...quiz, extra: 1 }])
    expect(QuizList.safeParse(value).success).toBe(true);
  for (const value of [
    'x',
    [],
    {},
    { questions: [{ question: 'Q', options: [{ label: 'a' }, { label: 'b' }] }] },
  ]) {
    expect(QuizList.safeParse(value).success).toBe(false);
  }
});

test('suggests a key for an unknown one', () => {
  expect(checkQuiz({ ...quiz, passing_score: 80 })).toEqual([
    {
      kind: 'unknown',
      field: 'quiz',
      path: ['quiz', 'passing_score'],
      message: "unknown key 'passing_score' in quiz",
      help: "did you mean 'passing-score'?",
      severity: 'warning',
    },
  ]);
});
