// One run of one case under one condition, and its result.

import * as z from 'zod';
import type { ModelTurn } from '../../host/models/index.ts';
import type { ConditionName, ModelCase } from './model-report.ts';

/** Turns are kept as they were; nobody reads them back. */
const Turn = z.custom<ModelTurn>((value) => typeof value === 'object' && value !== null);

/** The result of a run. `passed` is null when nothing judges it. */
export const TrialResult = z.object({
  passed: z.boolean().nullable(),
  judged_by: z.enum(['choice', 'reading', 'check', 'model']).nullable(),
  why: z.string(),
  error: z.string().nullable().describe('Why there is no answer'),
  as_text: z.boolean().default(false).describe('It wrote as text what it should have done with a tool'),
  answer: z.string(),
  system: z.string().describe('The system prompt'),
  turns: z.array(Turn).readonly(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  cost: z.number().nullable(),
  seconds: z.number(),
});
export type TrialResult = z.output<typeof TrialResult>;

/** A case to be run. */
export type TrialCase = Pick<
  ModelCase,
  'skill' | 'path' | 'kind' | 'title' | 'source' | 'position' | 'proposed'
>;

/** A planned run. */
export interface Trial {
  readonly of: TrialCase;
  readonly condition: ConditionName;
  readonly run: number;
  /** Equal for equal questions to one model. */
  readonly key: string;
  execute(): Promise<TrialResult>;
}

/** A run with its result. */
export interface DoneTrial extends Omit<Trial, 'execute'> {
  readonly result: TrialResult;
}
