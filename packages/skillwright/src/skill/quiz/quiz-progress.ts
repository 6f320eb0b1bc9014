// Progress with the quizzes of one skill. Stores whether answers were right, never the answers themselves.

import * as z from 'zod';
import type { Quiz } from '../format/index.ts';

/** Progress with one quiz. */
export const QuizStanding = z.strictObject({
  passed: z.boolean(),
  /** Finished attempts. */
  attempts: z.int().nonnegative(),
  /** Score of the last finished attempt in per cent; null before the first. */
  score: z.number().nullable(),
  /** Current attempt: whether each answer was right, by question position. */
  answers: z.record(z.string(), z.boolean()),
  /** Positions of questions that were ever answered correctly. */
  known: z.array(z.int().nonnegative()),
});
export type QuizStanding = z.infer<typeof QuizStanding>;

/** Progress with all quizzes of a skill, in order. */
export const QuizProgress = z.strictObject({ quizzes: z.array(QuizStanding) });
export type QuizProgress = z.infer<typeof QuizProgress>;

/** Result of an attempt. */
export interface FinishedAttempt {
  /** Percentage of right answers. */
  readonly score: number;
  readonly passed: boolean;
  /** Attempts so far, this one included. */
  readonly attempts: number;
}

/** Progress before the first answer. */
export function noProgress(quizzes: readonly Quiz[]): QuizProgress {
  const nothing = () => ({ passed: false, attempts: 0, score: null, answers: {}, known: [] });
  return { quizzes: quizzes.map(nothing) };
}

/** The stored progress when it fits these quizzes; otherwise a fresh start. */
export function progressOn(quizzes: readonly Quiz[], remembered: unknown): QuizProgress {
  const { data } = QuizProgress.safeParse(remembered);
  return data?.quizzes.length === quizzes.length ? data : noProgress(quizzes);
}

/** True when every gating quiz was passed. */
export function isOpen(quizzes: readonly Quiz[], progress: QuizProgress): boolean {
  return quizzes.every(({ gate }, place) => !gate || progress.quizzes[place]?.passed === true);
}

/** Progress after one more answer; the last answer ends the attempt. */
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
