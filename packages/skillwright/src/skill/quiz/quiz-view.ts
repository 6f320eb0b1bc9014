// Quizzes as the reader sees them. Nothing here reveals the correct option.

import * as z from 'zod';
import { sha256 } from '../../base/files/index.ts';
import type { QuizMemory } from './quiz-memory.ts';
import { isOpen, type QuizProgress } from './quiz-progress.ts';
import type { SkillQuizzes } from './read-quizzes.ts';
import type { QuizAnswer } from './start-quiz.ts';

const QuestionView = z.strictObject({
  question: z.int().describe('Number of the question, counted over all quizzes of the skill'),
  text: z.string(),
  options: z.array(z.strictObject({ option: z.int(), text: z.string() })),
  answered: z.boolean().describe('Whether it was answered in the current attempt'),
  explanation: z.string().nullable().describe('Shown once the quiz is passed'),
});

/** The quizzes of a skill and their progress. */
export const QuizView = z.strictObject({
  skill: z.string(),
  gate: z
    .enum(['none', 'closed', 'open'])
    .describe('closed: you cannot read the skill until you pass its gates; none: it has no gate'),
  quizzes: z.array(
    z.strictObject({
      quiz: z.int(),
      title: z.string().nullable(),
      description: z.string().nullable(),
      gate: z.boolean(),
      passing_score: z.number().describe('Percentage of right answers needed to pass'),
      passed: z.boolean(),
      attempts: z.int().describe('Finished attempts'),
      score: z.number().nullable().describe('Score of the last finished attempt, in per cent'),
      questions: z.array(QuestionView),
    }),
  ),
});
export type QuizView = z.output<typeof QuizView>;

/** The view of one session. */
export function viewQuizzes(
  { name, gated, quizzes = [], secret }: SkillQuizzes,
  progress: QuizProgress,
  memory: QuizMemory,
): QuizView {
  const session = quizzes.length === 0 ? '' : memory.session();
  let number = 0;
  return {
    skill: name,
    gate: !gated ? 'none' : isOpen(quizzes, progress) ? 'open' : 'closed',
    quizzes: quizzes.map((quiz, place) => {
      const { passed, attempts, score, answers } = progress.quizzes[place]!;
      return {
        quiz: place + 1,
        title: quiz.title ?? null,
        description: quiz.description ?? null,
        gate: quiz.gate,
        passing_score: quiz['passing-score'],
        ...{ passed, attempts, score },
        questions: quiz.questions.map(({ question, options, explanation }, index) => ({
          question: ++number,
          text: question,
          options: orderOptions(options.length, { session, secret, quiz: place, question: index }).map(
            (option, shown) => ({ option: shown + 1, text: options[option]!.label }),
          ),
          answered: Object.hasOwn(answers, index),
          explanation: passed ? (explanation ?? null) : null,
        })),
      };
    }),
  };
}

/** Secret that determines the order. Without it, the order does not reveal the written position of an option. */
interface OrderKey {
  readonly session: string;
  readonly secret: string;
  readonly quiz: number;
  readonly question: number;
}

/** The positions 0 to `count - 1` in display order. */
export function orderOptions(count: number, key: OrderKey): number[] {
  const { session, secret, quiz, question } = key;
  const weigh = (option: number) => sha256([session, secret, quiz, question, option].join('\0'));
  return Array.from({ length: count }, (_, option) => ({ option, weight: weigh(option) }))
    .sort((a, b) => (a.weight < b.weight ? -1 : 1))
    .map(({ option }) => option);
}

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
