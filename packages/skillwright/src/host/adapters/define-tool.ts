// Declares a tool for a model: the input is checked, and expected failures become text too.

import * as z from 'zod';
import {
  describeIssue,
  diagnosticOf,
  invalidOption,
  renderDiagnostic,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { neutralise } from '../../read/catalog/index.ts';
import type { Session } from '../runtime/index.ts';

/** Names of the tools every session has. */
export type SessionToolName =
  | 'skill_search'
  | 'skill_load'
  | 'skill_read'
  | 'skill_outline'
  | 'skill_section'
  | 'skill_find_in'
  | 'skill_run'
  | 'skill_tool'
  | 'skill_quiz';

/** Options of a call besides its input. */
export interface CallOptions {
  /** Stops the script or tool that the call started. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool of a session. */
export interface SessionTool {
  readonly name: SessionToolName;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Returns text for the model. Refusals and wrong input are text too. */
  execute(session: Session, input: unknown, options?: CallOptions): Promise<string>;
}

/** Fields that name a skill. */
export const referenceFields = {
  name: z.string().optional().describe('Name of the skill'),
  path: z
    .string()
    .optional()
    .describe('Path of its SKILL.md; needed when several skills share a name, and takes precedence over it'),
};

/** Declares a tool. */
export function defineTool<Input extends z.ZodObject>({
  answer,
  ...tool
}: Pick<SessionTool, 'name' | 'description'> & {
  readonly input: Input;
  readonly answer: (session: Session, input: z.output<Input>, options: CallOptions) => Promise<string>;
}): SessionTool {
  return {
    ...tool,
    execute: (session, value, options = {}) =>
      answerInWords(() => answer(session, checkInput(tool.input, value), options)),
  };
}

/** The answer. An expected failure becomes text as well. */
export async function answerInWords(answer: () => Promise<string>): Promise<string> {
  try {
    return await answer();
  } catch (error) {
    // The message may quote paths and names chosen by a skill.
    if (error instanceof SkillwrightError) return neutralise(renderDiagnostic(diagnosticOf(error)).trimEnd());
    throw error;
  }
}

function checkInput<Input extends z.ZodObject>(schema: Input, value: unknown): z.output<Input> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys')
    throw invalidOption(
      `unknown field '${issue.keys[0]}'`,
      `the fields are ${Object.keys(schema.shape).join(', ')}`,
    );
  const field = issue.path.length === 0 ? 'the input' : issue.path.join('.');
  throw invalidOption(`${field} ${describeIssue(issue)}`);
}
