// The report of skc test.

import * as z from 'zod';
import { isModelFailed, ModelReport } from './model-report.ts';

const Word = z.object({
  word: z.string(),
  field: z
    .enum(['name', 'description', 'tags', 'heading', 'body'])
    .nullable()
    .describe('Where the skill has it'),
});

const Query = z.object({
  query: z.string(),
  source: z.string().describe('The file of the case'),
  position: z.number().int().describe('Its place in the file, from 1'),
  should_trigger: z.boolean(),
  proposed: z.boolean().describe('A proposal: it does not count as passed or failed'),
  passed: z.boolean(),
  rank: z
    .number()
    .int()
    .nullable()
    .describe('Place of the skill in the results; null when it is not among them'),
  score: z.number(),
  rivals: z.array(z.object({ skill: z.string(), score: z.number(), words: z.array(Word) })),
  why: z.string().describe('Why it failed'),
});

const Place = z.object({ file: z.string(), section: z.string() });

const Question = z.object({
  question: z.string(),
  source: z.string(),
  position: z.number().int(),
  section: z.string().describe('The section that answers'),
  file: z.string().nullable(),
  proposed: z.boolean(),
  passed: z.boolean(),
  rank: z.number().int().nullable().describe('Place of the section in a search for the question'),
  tokens: z
    .number()
    .int()
    .nullable()
    .describe('Tokens an agent with the stub reads until it has the section'),
  first: z.array(Place).describe('Best results of that search'),
  why: z.string(),
});

/** Result of a test run. */
export const TestReport = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      queries: z.array(Query),
      questions: z.array(Question),
      tasks: z.number().int().describe('Tasks for a model, which run only with --model'),
      problems: z.array(z.string()).describe('Cases that cannot be used, and why'),
      written: z
        .array(z.object({ file: z.string(), added: z.array(z.string()).describe('Text of each new case') }))
        .describe('With --write: files with new cases'),
    }),
  ),
  rivals: z.number().int().describe('Skills that competed for the requests'),
  passed: z.number().int(),
  failed: z.number().int(),
  proposed: z.number().int().describe('Proposed cases, which are run but not counted'),
  dry_run: z.boolean(),
  model: ModelReport.nullable().describe('With --model: results of the model; null otherwise'),
});
export type TestReport = z.output<typeof TestReport>;

/** Whether a case failed, or cannot be run. */
export const isTestFailed = ({
  failed,
  skills,
  model,
}: Pick<TestReport, 'failed' | 'skills' | 'model'>): boolean =>
  failed > 0 ||
  skills.some(({ problems }) => problems.length > 0) ||
  (model !== null && isModelFailed(model));
