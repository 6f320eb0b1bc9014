// The tools through which a model uses the skills of a session, before any framework. An adapter only renames their parts.

import * as z from 'zod';
import {
  type Diagnostic,
  describeIssue,
  diagnosticOf,
  invalidOption,
  renderDiagnostic,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { neutralise, oneLine, visibleJson } from '../../read/catalog/index.ts';
import { shorten } from '../../skill/format/index.ts';
import { readChoices, renderAnswers, renderQuiz } from '../../skill/quiz/index.ts';
import { hasScripts, type Session, wireSkill } from '../runtime/index.ts';

/** One tool. */
export interface SessionTool {
  readonly name: 'skill_search' | 'skill_load' | 'skill_read' | 'skill_run' | 'skill_quiz';
  readonly description: string;
  readonly input: z.ZodObject;
  /** The text for the model. What goes wrong as expected, a refusal or wrong input, is such a text too. */
  execute(session: Session, input: unknown): Promise<string>;
}

/** A tool of one session. */
export interface BoundTool extends Pick<SessionTool, 'description' | 'input'> {
  readonly name: string;
  run(input: unknown): Promise<string>;
}

type ActiveTool = ReturnType<Session['tools']>[number];

/** A search result shows this much of a description. */
const MAX_DESCRIPTION = 400;
const MAX_TOOL_DESCRIPTION = 2000;
const DEFAULT_RESULTS = 8;
const MAX_RESULTS = 50;

const search = defineTool({
  name: 'skill_search',
  description:
    'Finds skills by a few words about the task, among all there are: those the list of skills has no room for too. Skills are sets of instructions for one kind of task.',
  input: z.object({
    query: z.string().describe('What the skill should be able to do, or its name'),
    limit: z
      .number()
      .int()
      .positive()
      .optional()
      .describe(`Most results: ${DEFAULT_RESULTS} unless given, at most ${MAX_RESULTS}`),
    scope: z
      .enum(['repo', 'user', 'bundled'])
      .optional()
      .describe('Only the skills of the project (repo), of the user, or bundled ones'),
  }),
  async answer(session, { query, limit = DEFAULT_RESULTS, scope }) {
    const most = Math.min(limit, MAX_RESULTS);
    // One more than wanted tells whether there are more; a session gives no more than the maximum.
    const found = await session.search({ query, limit: most + 1, scope });
    const results = found.slice(0, most).map(({ skill, score, reason }) => {
      const { name, description, path, scope: place } = wireSkill(skill);
      return {
        name: oneLine(name),
        description: shorten(oneLine(description), MAX_DESCRIPTION),
        path,
        scope: place,
        reason,
        score: Number(score.toFixed(4)),
      };
    });
    const truncated = found.length > most || found.length === MAX_RESULTS;
    return visibleJson({ results, count: results.length, truncated });
  },
});

const load = defineTool({
  name: 'skill_load',
  description:
    'Loads the instructions of a skill and the list of its files. Load a skill before a task that it is for, then follow it.',
  input: z.object({
    name: z.string().optional().describe('Name of the skill'),
    path: z
      .string()
      .optional()
      .describe('Path of its SKILL.md, for a name that several skills have; wins over the name'),
  }),
  answer: async (session, reference) => (await session.load(reference)).text,
});

const read = defineTool({
  name: 'skill_read',
  description: 'Reads a text file of a skill, such as one that its instructions refer to.',
  input: z.object({
    name: z.string().describe('Name of the skill, or the path of its SKILL.md'),
    path: z.string().describe('The file, relative to the skill or as the loaded skill lists it'),
  }),
  async answer(session, { name, path }) {
    const { content, truncated } = await session.readResource(referenceOf(name), path);
    const rest = `\n\n[The file goes on: only its first ${Buffer.byteLength(content)} bytes are shown.]`;
    return `${content}${truncated ? rest : ''}`;
  },
});

const run = defineTool({
  name: 'skill_run',
  description:
    'Runs a script of a skill in a sandbox, where its instructions ask for that, and gives what it printed.',
  input: z.object({
    name: z.string().describe('Name of the skill, or the path of its SKILL.md'),
    script: z.string().describe('The script, such as fill.py'),
    args: z.array(z.string()).optional().describe('Its arguments, each as it is'),
    timeout: z.number().positive().optional().describe('Seconds it may run'),
    stdin: z.string().optional().describe('Text for its standard input'),
  }),
  async answer(session, { name, script, ...how }) {
    const remarks: string[] = [];
    const report = (diagnostic: Diagnostic) => remarks.push(renderDiagnostic(diagnostic).trimEnd());
    const envelope = await session.runScript(referenceOf(name), script, { ...how, report });
    const { ok, exitCode, stdout, stderr, truncated, timedOut } = envelope;
    const ending = timedOut ? 'it ran too long' : truncated ? 'it printed too much' : `status ${exitCode}`;
    const parts = [
      ...(ok ? [] : [`[The script failed: ${ending}.]`]),
      ...shownStream(stdout, 'standard output'),
      ...(stderr === '' ? [] : ['[Standard error:]', ...shownStream(stderr, 'standard error')]),
      ...remarks,
    ];
    return parts.length === 0 ? '[The script printed nothing.]' : neutralise(parts.join('\n'));
  },
});

const quiz = defineTool({
  name: 'skill_quiz',
  description:
    'Takes the quiz of a skill that is closed until it is passed. Without answers it gives the questions with their options.',
  input: z.object({
    name: z.string().describe('Name of the skill, or the path of its SKILL.md'),
    answers: z
      .array(z.string())
      .optional()
      .describe('A question and its options each, such as "1=2" or "1=2,3"'),
  }),
  async answer(session, { name, answers = [] }) {
    const reference = referenceOf(name);
    if (answers.length === 0) return neutralise(renderQuiz(await session.quiz(reference)));
    const taken = await session.answerQuiz(reference, readChoices(answers));
    return neutralise(`${renderAnswers(taken.answers)}\n\n${renderQuiz(taken.quiz)}`);
  },
});

/** All tools, in the order in which they are used. */
export const sessionTools: readonly SessionTool[] = [search, load, read, run, quiz];

/**
 * The tools of a session, those of active skills last; none when there is no skill that the model may use, and none for
 * quizzes where no skill has a gate. Asked again after a skill has been activated or deactivated.
 */
export async function bindTools(session: Session): Promise<readonly BoundTool[]> {
  const { skills } = await session.catalog();
  if (skills.length === 0) return [];
  const isGated = skills.some(({ gated }) => gated);
  const own = sessionTools
    .filter((tool) => (tool !== quiz || isGated) && (tool !== run || skills.some(hasScripts)))
    .map(({ name, description, input, execute }) => ({
      name,
      description,
      input,
      run: (value: unknown) => execute(session, value),
    }));
  return [...own, ...session.tools().map(bindActive)];
}

/** A tool that a skill brings along. Its words and its results come from the skill. */
function bindActive({ name, description, input, call }: ActiveTool): BoundTool {
  return {
    name,
    description: neutralise(shorten(description, MAX_TOOL_DESCRIPTION)),
    input,
    run: (value) =>
      answerInWords(async () => {
        const result = await call(value);
        return typeof result === 'string' ? neutralise(result) : visibleJson(result);
      }),
  };
}

/** A stream shows this many characters. */
const MAX_STREAM = 50_000;

function shownStream(text: string, name: string): string[] {
  if (text.length <= MAX_STREAM) return text === '' ? [] : [text.trimEnd()];
  return [text.slice(0, MAX_STREAM), `[The rest of ${name} is left out: ${text.length} characters in all.]`];
}

/** No name has a separator, and a path tells skills of the same name apart. */
function referenceOf(name: string): { path: string } | { name: string } {
  return /[/\\]/.test(name) ? { path: name } : { name };
}

function defineTool<Input extends z.ZodObject>({
  answer,
  ...tool
}: Pick<SessionTool, 'name' | 'description'> & {
  readonly input: Input;
  readonly answer: (session: Session, input: z.output<Input>) => Promise<string>;
}): SessionTool {
  return {
    ...tool,
    execute: (session, value) => answerInWords(() => answer(session, checkInput(tool.input, value))),
  };
}

async function answerInWords(answer: () => Promise<string>): Promise<string> {
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
