// Answers as the access log records them: which questions, whether they were right, and how attempts ended.

import type { QuizView } from './quiz-view.ts';
import type { QuizAnswer } from './start-quiz.ts';

/** The answer fields of a log row. */
export interface ServedAnswers {
  readonly answers: readonly { readonly question: number; readonly right: boolean }[];
  /** Finished attempts, with the numbers of their questions. */
  readonly attempts: readonly {
    readonly quiz: number;
    readonly passed: boolean;
    readonly questions: readonly number[];
  }[];
}

/** The loggable part of answers: never the chosen options. */
export function servedAnswers(answers: readonly QuizAnswer[], { quizzes }: QuizView): ServedAnswers {
  return {
    answers: answers.map(({ question, correct }) => ({ question, right: correct })),
    attempts: answers.flatMap(({ quiz, attempt }) => {
      const questions = quizzes[quiz - 1]?.questions.map(({ question }) => question) ?? [];
      return attempt === null ? [] : [{ quiz, passed: attempt.passed, questions }];
    }),
  };
}
