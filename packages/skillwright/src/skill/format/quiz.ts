// Layer 4: quiz gates.

import * as z from 'zod';
import { FilledText, Flag, mustBe, readMapping, schemaIssues, Text, unknownKeys } from './field-shapes.ts';
import { type FormatIssue, isMapping, readFlag, spellFieldPath } from './format-issue.ts';
import { writtenText } from './written-text.ts';

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
export const QuizBranch = readMapping(branchShape);
export type QuizBranch = z.infer<typeof QuizBranch>;

const optionShape = { label: FilledText, correct: Flag.default(false) };

/** One answer option. */
export const QuizOption = readMapping(optionShape);
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
export const QuizQuestion = readMapping(questionShape);
export type QuizQuestion = z.infer<typeof QuizQuestion>;

const percentage = { error: mustBe('a number from 0 to 100') };

const quizShape = {
  title: Text.optional(),
  description: Text.optional(),
  /** Whether the skill stays locked until the quiz is passed. */
  gate: Flag.default(false),
  /** Percentage of correct answers needed to pass. */
  'passing-score': z.number(percentage).min(0, percentage).max(100, percentage).default(100),
  questions: z
    .array(QuizQuestion, { error: mustBe('a list of questions') })
    .min(1, { error: 'must have at least one question' }),
};

/** One quiz block. */
export const Quiz = readMapping(quizShape);
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

type Path = readonly (string | number)[];
type Mapping = Readonly<Record<string, unknown>>;

/** The faults of a `quiz` value, with paths into the source. */
export function checkQuiz(value: unknown): FormatIssue[] {
  const path = ['quiz'];
  const asked = new Map<string, string>();
  if (isMapping(value)) return [...schemaIssues(Quiz, { value, path }), ...checkBlock(value, path, asked)];
  const blocks = Array.isArray(value) ? value : [];
  return [
    ...schemaIssues(QuizList, { value: value ?? null, path }),
    ...blocks.flatMap((block, index) => [...checkBlock(block, [...path, index], asked)]),
  ];
}

/** `asked` has the place of each question so far. */
function* checkBlock(block: unknown, path: Path, asked: Map<string, string>): Generator<FormatIssue> {
  yield* unknownKeys(block, { known: Object.keys(quizShape), path });
  for (const [index, question] of entriesOf(block, 'questions').entries()) {
    const at = [...path, 'questions', index];
    yield* unknownKeys(question, { known: Object.keys(questionShape), path: at });
    if (!isMapping(question)) continue;
    yield* checkOptions(question, at);
    for (const key of ['on-correct', 'on-incorrect']) {
      const branch = question[key];
      yield* unknownKeys(branch, { known: Object.keys(branchShape), path: [...at, key] });
      if (isMapping(branch) && Object.keys(branch).length === 0)
        yield fault([...at, key], `${key} has no action`, 'empty');
    }
    const text = writtenText(question, 'question')?.trim().toLowerCase() ?? '';
    const first = asked.get(text);
    if (first !== undefined) yield fault([...at, 'question'], `the same question is asked in ${first}`);
    else if (text !== '') asked.set(text, spellFieldPath(at));
  }
}

function* checkOptions(question: Mapping, path: Path): Generator<FormatIssue> {
  const options = entriesOf(question, 'options');
  const labels = new Set<string>();
  for (const [index, option] of options.entries()) {
    const at = [...path, 'options', index];
    yield* unknownKeys(option, { known: Object.keys(optionShape), path: at });
    const label = (isMapping(option) && writtenText(option, 'label')?.trim()) || '';
    if (labels.has(label)) yield fault([...at, 'label'], `the option '${label}' appears twice`);
    if (label !== '') labels.add(label);
  }
  const isCorrect = (option: unknown) => isMapping(option) && readFlag(option.correct) === true;
  if (options.length > 1 && options.every(isCorrect))
    yield fault([...path, 'options'], 'all options are correct, so the question tests nothing');
}

function entriesOf(value: unknown, key: string): readonly unknown[] {
  const entries = isMapping(value) ? value[key] : undefined;
  return Array.isArray(entries) ? entries : [];
}

const fault = (path: Path, message: string, kind: FormatIssue['kind'] = 'value'): FormatIssue => ({
  kind,
  field: 'quiz',
  path,
  message,
  severity: 'error',
});
