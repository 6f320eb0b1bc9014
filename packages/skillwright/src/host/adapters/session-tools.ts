// The tools through which a model uses the skills of a session: those of its methods, and two that need more than one
// method. Framework adapters only rename their parts.

import * as z from 'zod';
import {
  describeIssue,
  diagnosticOf,
  invalidOption,
  renderDiagnostic,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { neutralise, visibleJson } from '../../read/catalog/index.ts';
import { readChoices, renderAnswers, renderQuiz } from '../../skill/quiz/index.ts';
import {
  type AnyMethod,
  type CallOptions,
  findActiveTool,
  type Session,
  sessionMethods,
} from '../runtime/index.ts';

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

/** A tool of a session. */
export interface SessionTool {
  readonly name: SessionToolName;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Returns text for the model. Refusals and wrong input are text too. */
  execute(session: Session, input: unknown, options?: CallOptions): Promise<string>;
}

/** Declares a tool. */
function defineTool<Input extends z.ZodObject>({
  answer,
  ...tool
}: Pick<SessionTool, 'name' | 'description'> & {
  readonly input: Input;
  readonly answer: (
    session: Session,
    input: z.output<Input>,
    options: CallOptions,
  ) => string | Promise<string>;
}): SessionTool {
  return {
    ...tool,
    execute: (session, value, options = {}) =>
      answerInWords(async () => answer(session, checkInput(tool.input, value), options)),
  };
}

/** The tools of methods. The rules that join fields of a request do not fit every framework, so the call checks them. */
const ofMethods = Object.entries<AnyMethod>(sessionMethods).flatMap(([method, { tool, input }]) => {
  if (tool === undefined || input === undefined) return [];
  const { name, description, without = [], answer } = tool;
  const shape = Object.entries(input.shape as z.ZodRawShape).filter(([field]) => !without.includes(field));
  return [
    defineTool({
      name: name as SessionToolName,
      description,
      input: z.strictObject(Object.fromEntries(shape)),
      answer: (session, given, options) =>
        answer(given, session[method as keyof Session] as Parameters<typeof answer>[1], options),
    }),
  ];
});

const tool = defineTool({
  name: 'skill_tool',
  description: 'Call a tool provided by a loaded skill. Loading the skill lists its tools and their input.',
  input: z.strictObject({
    skill: z.string().describe('Name of the skill'),
    tool: z.string().describe('Name of the tool'),
    input: z.record(z.string(), z.unknown()).optional().describe('Input for the tool'),
  }),
  async answer(session, { skill, tool: name, input = {} }, { signal }) {
    return showResult(await findActiveTool(session, { skill, tool: name }).call(input, { signal }));
  },
});

const quiz = defineTool({
  name: 'skill_quiz',
  description:
    'Take the quiz that unlocks a skill. Call it without answers to get the questions and their options.',
  input: z.strictObject({
    ...sessionMethods.quiz.input.shape,
    answers: z
      .array(z.string())
      .optional()
      .describe('One question with its chosen options per entry, such as "1=2" or "1=2,3"'),
  }),
  async answer(session, { answers = [], ...reference }) {
    if (answers.length === 0) return neutralise(renderQuiz(await session.quiz(reference)));
    const taken = await session.answerQuiz(reference, readChoices(answers));
    return neutralise(`${renderAnswers(taken.answers)}\n\n${renderQuiz(taken.quiz)}`);
  },
});

/** All tools, in the order they are usually called. */
export const sessionTools: readonly SessionTool[] = [...ofMethods, tool, quiz];

/** Result of a skill's tool as text that cannot imitate our own markup. */
export function showResult(result: unknown): string {
  return typeof result === 'string' ? neutralise(result) : visibleJson(result);
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
