// The tools through which a model uses the skills of a session, before any framework. An adapter only renames their parts.

import * as z from 'zod';
import { describeIssue } from '../diagnostics/describe-issue.ts';
import { diagnosticOf } from '../diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../diagnostics/render-text.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { shorten } from '../format/shorten.ts';
import { neutralise, oneLine, visibleJson } from '../runtime/escape-text.ts';
import type { Session } from '../runtime/session.ts';
import { wireSkill } from '../runtime/wire-skill.ts';

/** One tool. */
export interface SessionTool {
  readonly name: 'skill_search' | 'skill_load' | 'skill_read';
  readonly description: string;
  readonly input: z.ZodObject;
  /** The text for the model. What goes wrong as expected, a refusal or wrong input, is such a text too. */
  execute(session: Session, input: unknown): Promise<string>;
}

/** A tool of one session. */
export interface BoundTool extends Pick<SessionTool, 'name' | 'description' | 'input'> {
  run(input: unknown): Promise<string>;
}

/** A search result shows this much of a description. */
const MAX_DESCRIPTION = 400;
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
    // No name has a separator, and a path tells skills of the same name apart.
    const reference = /[/\\]/.test(name) ? { path: name } : { name };
    const { content, truncated } = await session.readResource(reference, path);
    const rest = `\n\n[The file goes on: only its first ${Buffer.byteLength(content)} bytes are shown.]`;
    return `${neutralise(content)}${truncated ? rest : ''}`;
  },
});

/** All tools, in the order in which they are used. */
export const sessionTools: readonly SessionTool[] = [search, load, read];

/** The tools of a session; none when there is no skill that the model may use. */
export async function bindTools(session: Session): Promise<readonly BoundTool[]> {
  const { skills } = await session.catalog();
  if (skills.length === 0) return [];
  return sessionTools.map(({ name, description, input, execute }) => ({
    name,
    description,
    input,
    run: (value) => execute(session, value),
  }));
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
    async execute(session, value) {
      try {
        return await answer(session, checkInput(tool.input, value));
      } catch (error) {
        if (error instanceof SkillwrightError) return renderDiagnostic(diagnosticOf(error)).trimEnd();
        throw error;
      }
    },
  };
}

function checkInput<Input extends z.ZodObject>(schema: Input, value: unknown): z.output<Input> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const field = issue.path.length === 0 ? 'the input' : issue.path.join('.');
  throw SkillwrightError.of('E100', { why: `${field} ${describeIssue(issue)}` });
}
