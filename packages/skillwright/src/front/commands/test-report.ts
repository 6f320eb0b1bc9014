// The report of skc test.

import * as z from 'zod';
import { Confusion } from '../../make/evals/index.ts';
import { isModelFailed, ModelReport } from './model-report.ts';

const Word = z.object({
  word: z.string(),
  field: z.enum(['name', 'description']).describe('Where the skill has it'),
});

const Query = z.object({
  query: z.string(),
  source: z.string().describe('The file of the case'),
  position: z.number().int().describe('Its place in the file, from 1'),
  should_trigger: z.boolean(),
  instead: z.string().nullable().describe('The skill that must be chosen instead'),
  proposed: z.boolean().describe('A proposal: it does not count as passed or failed'),
  held_out: z.boolean().describe('--improve does not see it'),
  passed: z.boolean(),
  chosen: z.string().nullable().describe('The skill that is chosen; null for none'),
  rank: z
    .number()
    .int()
    .nullable()
    .describe('Place of the skill by names and descriptions; null without a word of the request'),
  score: z.number(),
  text_rank: z
    .number()
    .int()
    .nullable()
    .describe('Place when the whole texts are searched, too; null when it is not among the first'),
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

const Judged = z.object({
  passed: z.number().int(),
  requests: z.number().int(),
});

/** A better description of a skill. */
export const Improved = z.object({
  skill: z.string(),
  path: z.string(),
  by: z.string().describe('The model that wrote it, or words for the offline ranker'),
  before: z.string().describe('The description'),
  after: z.string().nullable().describe('The proposed one; null if none is better'),
  added: z.array(z.string()).describe('Words of requests that it gained'),
  seen: z.object({ before: Judged, after: Judged }).describe('Requests it was written for'),
  held_out: z.object({ before: Judged, after: Judged }).describe('Requests it was not written for'),
  written: z.boolean(),
});
export type Improved = z.output<typeof Improved>;

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
  confusion: Confusion.nullable().describe('With --all: which skill is chosen in place of which'),
  trend: z
    .object({
      since: z.string().describe('Time of the last run'),
      newly_passed: z.number().int().describe('Requests that failed then and pass now'),
      newly_failed: z.array(z.object({ skill: z.string(), query: z.string() })),
      recall: z.number().nullable().describe('Recall of the last run'),
      precision: z.number().nullable(),
    })
    .nullable()
    .describe('With --all: the difference from the last run with --all in this project'),
  improved: z.array(Improved).describe('With --improve: proposed descriptions'),
  model: ModelReport.nullable().describe('With --model: results of the model; null otherwise'),
});
export type TestReport = z.output<typeof TestReport>;

/** Whether a skill has no case that runs without a model. */
export const hasNothingRun = ({
  queries,
  questions,
  problems,
}: Pick<TestReport['skills'][number], 'queries' | 'questions' | 'problems'>): boolean =>
  queries.length + questions.length + problems.length === 0;

/** Whether a case failed, cannot be run, or no case that counts was run. */
export const isTestFailed = ({
  failed,
  passed,
  skills,
  model,
}: Pick<TestReport, 'failed' | 'passed' | 'skills' | 'model'>): boolean =>
  failed > 0 ||
  skills.some(({ problems }) => problems.length > 0) ||
  (model === null
    ? passed === 0 && skills.every(({ written }) => written.length === 0)
    : isModelFailed(model));
