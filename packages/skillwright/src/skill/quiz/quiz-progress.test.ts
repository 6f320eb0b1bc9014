import { expect, test } from 'vitest';
import { Quiz } from '../format/quiz.ts';
import { isOpen, noProgress, progressOn, takeAnswer } from './quiz-progress.ts';

const options = [{ label: 'a', correct: true }, { label: 'b' }];
const makeQuiz = (questions: number, score = 100, gate = true) =>
  Quiz.parse({
    gate,
    'passing-score': score,
    questions: Array.from({ length: questions }, (_, n) => ({ question: `Q${n}`, options })),
  });

/** How an attempt ends after these answers, right or wrong. */
test.each<[string, boolean[], number, { score: number; passed: boolean }]>([
  ['all right', [true, true], 100, { score: 100, passed: true }],
  ['one wrong of two', [true, false], 100, { score: 50, passed: false }],
  ['enough', [true, false], 50, { score: 50, passed: true }],
  ['two of three, 66', [true, true, false], 66, { score: 66.7, passed: true }],
  ['two of three, 67', [true, true, false], 67, { score: 66.7, passed: false }],
  ['none needed', [false], 0, { score: 0, passed: true }],
])('%s', (_, answers, score, expected) => {
  const quiz = makeQuiz(answers.length, score);
  let standing = noProgress([quiz]).quizzes[0]!;
  answers.forEach((right, question) => {
    const taken = takeAnswer(quiz, standing, { question, right });
    standing = taken.standing;
    const isLast = question === answers.length - 1;
    expect(taken.finished).toEqual(isLast ? { ...expected, attempts: 1 } : undefined);
  });
  expect(standing).toEqual({
    ...expected,
    attempts: 1,
    answers: {},
    known: answers.flatMap((right, question) => (right ? [question] : [])),
  });
});

test('a new attempt follows a failed one, and each right answer is remembered once', () => {
  const quiz = makeQuiz(1);
  const first = takeAnswer(quiz, noProgress([quiz]).quizzes[0]!, { question: 0, right: false }).standing;
  const second = takeAnswer(quiz, first, { question: 0, right: true }).standing;
  expect([first, second]).toEqual([
    { passed: false, attempts: 1, score: 0, answers: {}, known: [] },
    { passed: true, attempts: 2, score: 100, answers: {}, known: [0] },
  ]);
});

test('every gate must be passed, other quizzes need not', () => {
  const quizzes = [makeQuiz(1), makeQuiz(1, 100, false), makeQuiz(1)];
  const passed = (...places: number[]) => ({
    quizzes: noProgress(quizzes).quizzes.map((standing, place) => ({
      ...standing,
      passed: places.includes(place),
    })),
  });
  expect([[], [0], [0, 1], [0, 2], [0, 1, 2]].map((places) => isOpen(quizzes, passed(...places)))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});

test.each([undefined, null, 'x', {}, { quizzes: [] }, { quizzes: [{ passed: true }] }, { quizzes: [1] }])(
  'remembered %j starts over',
  (remembered) => {
    const quizzes = [makeQuiz(1)];
    expect(progressOn(quizzes, remembered)).toEqual(noProgress(quizzes));
  },
);
