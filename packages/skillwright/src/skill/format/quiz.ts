// Layer 4: quiz gates.

import * as z from 'zod';
import { FilledText, Flag, mustBe, readMapping, Text } from './field-shapes.ts';
import { isMapping } from './format-issue.ts';

/** Number of options a question may have. */
const OPTION_COUNT = { min: 2, max: 6 } as const;

const branchShape = {
  /** A heading of the body, as in `## Setup Steps`. */
  goto: FilledText.optional(),
  /** Name of another skill. */
  'load-skill': FilledText.optional(),
  /** A file of the skill. */
  'load-reference': FilledText.optional(),
  message: Text.optional(),
};

/** Action after an answer. */
export const QuizBranch = readMapping(branchShape, ['goto', 'load-skill', 'load-reference', 'message']);
export type QuizBranch = z.infer<typeof QuizBranch>;

const optionShape = { label: FilledText, correct: Flag.default(false) };

/** One answer option. */
export const QuizOption = readMapping(optionShape, ['label']);
export type QuizOption = z.infer<typeof QuizOption>;

const optionCount = {
  error: (issue: z.core.$ZodRawIssue) =>
    `must have ${OPTION_COUNT.min} to ${OPTION_COUNT.max} entries, not ${(issue.input as unknown[]).length}`,
};

const questionShape = {
  question: FilledText,
  options: z
    .array(QuizOption, { error: mustBe('a list of options') })
    .min(OPTION_COUNT.min, optionCount)
    .max(OPTION_COUNT.max, optionCount)
    .refine((options) => options.some((option) => option.correct), {
      error: "must have at least one entry with 'correct: true'",
    }),
  explanation: Text.optional(),
  'on-correct': QuizBranch.optional(),
  'on-incorrect': QuizBranch.optional(),
};

/** One question. */
export const QuizQuestion = readMapping(questionShape, ['question', 'explanation']);
export type QuizQuestion = z.infer<typeof QuizQuestion>;

const quizShape = {
  title: Text.optional(),
  description: Text.optional(),
  /** Whether the skill stays locked until the quiz is passed. */
  gate: Flag.default(false),
  /** Percentage of correct answers needed to pass. */
  'passing-score': z
    .number({ error: mustBe('a number from 0 to 100') })
    .min(0, { error: mustBe('a number from 0 to 100') })
    .max(100, { error: mustBe('a number from 0 to 100') })
    .default(100),
  questions: z
    .array(QuizQuestion, { error: mustBe('a list of questions') })
    .min(1, { error: 'must have at least one question' }),
};

/** One quiz block. */
export const Quiz = readMapping(quizShape, ['title', 'description']);
export type Quiz = z.infer<typeof Quiz>;

/** The `quiz` field: a list of quizzes, or one. */
export const QuizList = z.preprocess(
  (value) => (isMapping(value) ? [value] : value),
  z.array(Quiz, { error: mustBe('a quiz or a list of quizzes') }).min(1, { error: 'must not be empty' }),
);
export type QuizList = z.infer<typeof QuizList>;

/** Layer 4 of a skill's frontmatter. */
export const QuizLayer = readMapping({ quiz: QuizList.optional() });
export type QuizLayer = z.infer<typeof QuizLayer>;

/** The keys each part of a quiz knows. */
export const QUIZ_KEYS = {
  quiz: Object.keys(quizShape),
  question: Object.keys(questionShape),
  option: Object.keys(optionShape),
  branch: Object.keys(branchShape),
} as const;
