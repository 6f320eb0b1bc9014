// Cases of a skill's evals.

import * as z from 'zod';

/** Set by `skc test --write`: the case is run, but cannot fail a run until its author removes the mark. */
const proposed = z
  .boolean()
  .optional()
  .describe('A proposal, which cannot fail a run; remove it when the case is right');

/** A request, and whether an agent should choose the skill for it. `skill` names the one to choose instead. */
export const TriggerQuery = z.looseObject({
  query: z.string().trim().min(1).max(4000),
  should_trigger: z.boolean(),
  skill: z.string().optional().describe('Skill that should win instead, when should_trigger is false'),
  proposed,
});

/** A request as it is judged. */
export interface TriggerQuery {
  readonly query: string;
  readonly should_trigger: boolean;
  readonly skill?: string | undefined;
  readonly proposed?: boolean | undefined;
  /** Its author keeps it apart from the requests that descriptions are written for. */
  readonly isHeldOut?: boolean | undefined;
}

/** How a result is checked: a command that exits with 0, a JSON schema, or text it must contain. */
export const TaskCheck = z.union([
  z.strictObject({
    command: z.array(z.string()).min(1).describe('Run in the skill directory; the answer is on stdin'),
  }),
  z.strictObject({ json_schema: z.record(z.string(), z.unknown()) }),
  z.strictObject({ contains: z.array(z.string().min(1)).min(1) }),
  z.strictObject({ matches: z.string().min(1).describe('A regular expression (RE2)') }),
]);
export type TaskCheck = z.output<typeof TaskCheck>;

/** A question, and the section that answers it. A check judges the answer of a model. */
export const SectionQuestion = z.looseObject({
  question: z.string().trim().min(1).max(4000),
  section: z.string().trim().min(1).describe('Heading of the section that answers it'),
  file: z.string().optional().describe('File of the section; any file by default'),
  check: TaskCheck.optional(),
  proposed,
});
export type SectionQuestion = z.output<typeof SectionQuestion>;

/** A task for a model. */
export interface EvalTask {
  readonly id: string;
  readonly prompt: string;
  readonly expected_output?: string | undefined;
  /** Files of the skill that belong to the prompt. */
  readonly files: readonly string[];
  /** Statements that hold for a good answer; another model judges them. */
  readonly assertions: readonly string[];
  readonly check?: TaskCheck | undefined;
}

/** A case with the place it comes from. */
export type Located<Case> = Case & {
  /** File of the case, relative to the skill. */
  readonly source: string;
  /** Its place in the file, counted from 1. */
  readonly position: number;
};

/** Everything in the evals of a skill. */
export interface SkillEvals {
  readonly queries: readonly Located<TriggerQuery>[];
  readonly questions: readonly Located<SectionQuestion>[];
  readonly tasks: readonly Located<EvalTask>[];
}
