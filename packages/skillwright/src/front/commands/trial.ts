// One run of one case under one condition: planned, repeated, and its result.

import * as z from 'zod';
import { sha256 } from '../../base/files/index.ts';
import type { CheckContext, Model, ModelBudget, ModelRequest } from '../../host/models/index.ts';
import type { SkillEvals } from '../../make/evals/index.ts';
import type { ConditionName, conditions, ModelCase } from './model-report.ts';
import type { ModelWorld } from './model-world.ts';

/** Turns are kept as they were; nobody reads them back. */
const Turn = z.custom<ModelRequest['turns'][number]>((value) => typeof value === 'object' && value !== null);

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
type TrialCase = Pick<ModelCase, 'skill' | 'path' | 'kind' | 'title' | 'source' | 'position' | 'proposed'>;

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

/** A condition of questions and tasks. */
export type Condition = (typeof conditions)[number];

/** A skill with its cases. */
export interface TrialSubject {
  readonly name: string;
  /** As it is shown. */
  readonly path: string;
  readonly dir: string;
  readonly evals: SkillEvals;
  /** The list of skills in the prompt, and the names in it. */
  readonly catalog: { readonly text: string; readonly names: readonly string[] };
  world(): Promise<ModelWorld>;
}

/** How cases are run. */
export interface PlanOptions {
  readonly model: Model;
  readonly judge: Model | undefined;
  readonly budget: ModelBudget;
  readonly conditions: readonly Condition[];
  readonly runs: number;
  /** Where a command runs that needs no skill. */
  readonly place: ModelRequest['place'];
  /** Runs cases that nothing judges, too. */
  readonly isKept: boolean;
  readonly check: (dir: string) => CheckContext;
  readonly signal: AbortSignal;
  note(text: string): void;
}

/** A run before it is repeated; `identity` is everything that makes it this run. */
export type Once = Omit<Trial, 'run' | 'key'> & { readonly identity: object };

/** The run, as often as the user wants it. */
export function repeat({ identity, ...trial }: Once, { model, judge, runs }: PlanOptions): Trial[] {
  return Array.from({ length: runs }, (_, index) => ({
    ...trial,
    run: index + 1,
    key: sha256(
      JSON.stringify({
        ...identity,
        condition: trial.condition,
        run: index + 1,
        model: model.settings,
        judge: judge?.settings,
      }),
    ),
  }));
}

/** The case of a run. */
export function caseOf(
  kind: TrialCase['kind'],
  { name, path }: Pick<TrialSubject, 'name' | 'path'>,
  given: { title: string; source: string; position: number; proposed: boolean | undefined },
): TrialCase {
  return { skill: name, path, kind, ...given, proposed: given.proposed === true };
}

/** Seconds from a time of the performance clock on. */
export const secondsSince = (started: number) => Number(((performance.now() - started) / 1000).toFixed(3));
