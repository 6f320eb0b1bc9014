// How a tool for a model is declared: checked input, and an answer in words also when something goes wrong.

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

/** The names of the tools that every session has. */
export type SessionToolName =
  | 'skill_search'
  | 'skill_load'
  | 'skill_read'
  | 'skill_run'
  | 'skill_tool'
  | 'skill_quiz';

/** What a call may be given besides its input. */
export interface CallOptions {
  /** Ends the script or the tool that the call has started. */
  readonly signal?: AbortSignal | undefined;
}

/** One tool. */
export interface SessionTool {
  readonly name: SessionToolName;
  readonly description: string;
  readonly input: z.ZodObject;
  /** The text for the model. What goes wrong as expected, a refusal or wrong input, is such a text too. */
  execute(session: Session, input: unknown, options?: CallOptions): Promise<string>;
}

/** The fields that name a skill. */
export const referenceFields = {
  name: z.string().optional().describe('Name of the skill'),
  path: z
    .string()
    .optional()
    .describe('Path of its SKILL.md, for a name that several skills have; wins over the name'),
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

/** The answer; an expected failure is told in words. */
export async function answerInWords(answer: () => Promise<string>): Promise<string> {
  try {
    return await answer();
  } catch (error) {
    // It may quote paths and names that a skill has chosen.
    if (error instanceof SkillwrightError) return neutralise(renderDiagnostic(diagnosticOf(error)).trimEnd());
    throw error;
  }
}

function checkInput<Input extends z.ZodObject>(schema: Input, value: unknown): z.output<Input> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const field = issue.path.length === 0 ? 'the input' : issue.path.join('.');
  throw invalidOption(`${field} ${describeIssue(issue)}`);
}
