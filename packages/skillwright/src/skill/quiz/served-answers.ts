// What the access log is told of answers: which questions, whether they were right, and how attempts ended.

import type { QuizView } from './quiz-view.ts';
import type { QuizAnswer } from './start-quiz.ts';

/** The part of a row that is about answers. */
export interface ServedAnswers {
  readonly answers: readonly { readonly question: number; readonly right: boolean }[];
  /** Attempts that ended, with the numbers of their questions. */
  readonly attempts: readonly {
    readonly quiz: number;
    readonly passed: boolean;
    readonly questions: readonly number[];
  }[];
}

/** What may be remembered of answers: nothing of it says which option was chosen. */
export function servedAnswers(answers: readonly QuizAnswer[], { quizzes }: QuizView): ServedAnswers {
  return {
    answers: answers.map(({ question, correct }) => ({ question, right: correct })),
    attempts: answers.flatMap(({ quiz, attempt }) => {
      const questions = quizzes[quiz - 1]?.questions.map(({ question }) => question) ?? [];
      return attempt === null ? [] : [{ quiz, passed: attempt.passed, questions }];
    }),
  };
}
