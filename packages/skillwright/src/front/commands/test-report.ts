// The report of skc test.

import * as z from 'zod';
import { Confusion, DescriptionProposal, JudgedQuery, JudgedQuestion } from '../../make/evals/index.ts';
import { isModelFailed, ModelReport } from './model-report.ts';

/** A better description of a skill. */
const Improved = z.object({
  skill: z.string(),
  path: z.string(),
  by: z.string().describe('The model that wrote it, or words for the offline ranker'),
  ...DescriptionProposal.shape,
  written: z.boolean(),
});

/** Result of a test run. */
export const TestReport = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      queries: z.array(JudgedQuery),
      questions: z.array(JudgedQuestion),
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
