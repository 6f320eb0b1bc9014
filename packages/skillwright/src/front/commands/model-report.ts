// The part of a test report that is about a model.

import * as z from 'zod';

/** How much of the skill a model has: none, the stub with tools to read on, or the whole text. */
export const conditions = ['without', 'stub', 'whole'] as const;

/** `catalog`: the list of skills in a prompt, for requests. */
const ConditionName = z.enum(['catalog', ...conditions]);

const rate = { rate: z.number().nullable(), low: z.number(), high: z.number() };
const used = {
  input_tokens: z.number().int().nullable().describe('Null when they are not counted'),
  output_tokens: z.number().int().nullable(),
  cost: z.number().nullable().describe('Null without prices'),
  seconds: z.number(),
};

const ConditionResult = z.object({
  condition: ConditionName,
  runs: z.number().int().describe('Runs with a verdict'),
  passed: z.number().int(),
  ...rate,
  unclear: z
    .boolean()
    .describe(
      'The runs differ too much to say whether the rate reaches the threshold: neither passed nor failed',
    ),
  unjudged: z.number().int().describe('Answers that nothing checks'),
  errors: z.number().int().describe('Runs without an answer'),
  judged_by: z.array(z.enum(['choice', 'reading', 'check', 'model'])),
  why: z.string().describe('Why the first run that did not pass failed'),
  ...used,
});

const ModelCase = z.object({
  skill: z.string(),
  path: z.string(),
  kind: z.enum(['request', 'question', 'task']),
  title: z.string(),
  source: z.string(),
  position: z.number().int(),
  proposed: z.boolean(),
  failed: z.boolean().describe('It counts, and its rate with the skill is clearly below the threshold'),
  conditions: z.array(ConditionResult),
});

/** Results of a run with a model. */
export const ModelReport = z.object({
  name: z.string(),
  kind: z.enum(['openai', 'anthropic', 'command']),
  model: z.string(),
  judge: z.string().nullable(),
  runs: z.number().int().describe('Runs of each case under each condition'),
  threshold: z.number(),
  planned: z.number().int(),
  done: z.number().int(),
  resumed: z.number().int().describe('Runs taken from an earlier result'),
  calls: z.number().int(),
  stopped: z.string().nullable().describe('Why it stopped early'),
  notes: z.array(z.string()).describe('What was not run or cannot be measured'),
  problems: z.array(z.string()).describe('Skills that cannot be given to a model, and why'),
  cases: z.array(ModelCase),
  conditions: z
    .array(
      z.object({
        condition: ConditionName,
        cases: z.number().int(),
        runs: z.number().int(),
        passed: z.number().int(),
        ...rate,
        ...used,
      }),
    )
    .describe('All cases of a condition'),
  differences: z
    .array(
      z.object({
        from: ConditionName,
        to: ConditionName,
        pairs: z.number().int(),
        difference: z.number(),
        low: z.number(),
        high: z.number(),
        is_clear: z.boolean().describe('The interval does not contain 0'),
      }),
    )
    .describe('Between conditions, over the runs both have'),
  output: z.string().nullable().describe('File with every answer'),
});
export type ModelReport = z.output<typeof ModelReport>;
export type ModelCase = z.output<typeof ModelCase>;
export type ConditionName = z.output<typeof ConditionName>;

/** Whether a case failed, an answer is missing, or the run is not complete. */
export function isModelFailed({ cases, stopped, problems }: ModelReport): boolean {
  return (
    stopped !== null ||
    problems.length > 0 ||
    cases.some(({ failed, conditions: all }) => failed || all.some(({ errors }) => errors > 0))
  );
}
