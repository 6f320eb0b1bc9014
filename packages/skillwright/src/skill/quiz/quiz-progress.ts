// How far somebody is with the quizzes of one skill. It holds whether answers were right, never which they were.

import * as z from 'zod';
import type { Quiz } from '../format/index.ts';

/** The standing of one quiz. */
export const QuizStanding = z.strictObject({
  passed: z.boolean(),
  /** Attempts that were finished. */
  attempts: z.int().nonnegative(),
  /** Per cent of the last finished attempt; null before the first. */
  score: z.number().nullable(),
  /** The attempt under way: by position of the question, whether its answer was right. */
  answers: z.record(z.string(), z.boolean()),
  /** Positions of questions that were ever answered rightly. */
  known: z.array(z.int().nonnegative()),
});
export type QuizStanding = z.infer<typeof QuizStanding>;

/** The standing of all quizzes of a skill, in their order. */
export const QuizProgress = z.strictObject({ quizzes: z.array(QuizStanding) });
export type QuizProgress = z.infer<typeof QuizProgress>;

/** The end of an attempt. */
export interface FinishedAttempt {
  /** Per cent of the answers that were right. */
  readonly score: number;
  readonly passed: boolean;
  /** Attempts so far, this one included. */
  readonly attempts: number;
}

/** The progress of somebody who has answered nothing. */
export function noProgress(quizzes: readonly Quiz[]): QuizProgress {
  const nothing = () => ({ passed: false, attempts: 0, score: null, answers: {}, known: [] });
  return { quizzes: quizzes.map(nothing) };
}

/** What was remembered, when it is about these quizzes; else a new beginning. */
export function progressOn(quizzes: readonly Quiz[], remembered: unknown): QuizProgress {
  const { data } = QuizProgress.safeParse(remembered);
  return data?.quizzes.length === quizzes.length ? data : noProgress(quizzes);
}

/** True when every quiz that is a gate was passed. */
export function isOpen(quizzes: readonly Quiz[], progress: QuizProgress): boolean {
  return quizzes.every(({ gate }, place) => !gate || progress.quizzes[place]?.passed === true);
}

/** The standing after one more answer, which ends the attempt when it is the last. */
export function takeAnswer(
  quiz: Quiz,
  before: QuizStanding,
  { question, right }: { readonly question: number; readonly right: boolean },
): { standing: QuizStanding; finished: FinishedAttempt | undefined } {
  const answers = { ...before.answers, [question]: right };
  const known = right && !before.known.includes(question) ? [...before.known, question] : before.known;
  const total = quiz.questions.length;
  if (Object.keys(answers).length < total)
    return { standing: { ...before, answers, known }, finished: undefined };
  const count = Object.values(answers).filter(Boolean).length;
  const finished: FinishedAttempt = {
    score: Math.round((count * 1000) / total) / 10,
    passed: count * 100 >= quiz['passing-score'] * total,
    attempts: before.attempts + 1,
  };
  return { standing: { ...finished, answers: {}, known }, finished };
}
