// The tools of one session for one model: which there are, and what a load brings along.

import * as z from 'zod';
import {
  diagnosticOf,
  invalidOption,
  renderDiagnostic,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { escapeXml, neutralise, oneLine, visibleJson } from '../../read/catalog/index.ts';
import { shorten } from '../../skill/format/index.ts';
import { hasScripts, hasToolsets, type LoadResult, type Session, type SkillTool } from '../runtime/index.ts';
import { answerInWords, type CallOptions, type SessionTool, type SessionToolName } from './define-tool.ts';
import { sessionTools, showResult } from './session-tools.ts';

/** How a model gets the tools of a session. */
export interface ToolOptions {
  /** Only these of the session's own tools. Default: all that have something to do. */
  readonly only?: readonly SessionToolName[] | undefined;
  /**
   * Whether a load activates the tools that the skill brings along, and lists them for `skill_tool`. Default: no; the host
   * activates skills itself. Rules and trust hold as for `session.activate`.
   */
  readonly activateOnLoad?: boolean | undefined;
  /** Ends whatever any of the tools has started. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool of one session. */
export interface BoundTool extends Pick<SessionTool, 'description' | 'input'> {
  /** Letters, digits and underscores, 64 at most: no framework has to change it. */
  readonly name: string;
  /** The input as JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Gives text for the model. Rejects only for a bug, or when the call is aborted. */
  run(input: unknown, options?: CallOptions): Promise<string>;
}

const MAX_TOOL_DESCRIPTION = 2000;

/**
 * The tools of a session, those of active skills last; none when there is no skill that the model may use, and none for
 * scripts, tools and quizzes where no skill has any. Asked again after a skill has been activated or deactivated, where
 * a framework takes another list; elsewhere `skill_tool` calls what has become active since.
 */
export async function bindTools(session: Session, options: ToolOptions = {}): Promise<readonly BoundTool[]> {
  const { only, activateOnLoad = false, signal } = options;
  const unknown = only?.find((name) => sessionTools.every((tool) => tool.name !== name));
  if (unknown !== undefined) throw invalidOption(`only names no tool of a session: ${unknown}`);
  const { skills } = await session.catalog();
  if (skills.length === 0) return [];
  const hasWork: Partial<Record<SessionToolName, () => boolean>> = {
    skill_run: () => skills.some(hasScripts),
    skill_tool: () => skills.some(hasToolsets),
    skill_quiz: () => skills.some(({ gated }) => gated),
  };
  const own = sessionTools
    .filter(({ name }) => (only?.includes(name) ?? true) && (hasWork[name]?.() ?? true))
    .map(({ name, description, input, execute }) => ({
      name,
      description,
      input,
      inputSchema: schemaOf(input),
      run: (value: unknown, call: CallOptions = {}) =>
        execute(name === 'skill_load' && activateOnLoad ? activating(session) : session, value, {
          signal: anyOf(signal, call.signal),
        }),
    }));
  return [...own, ...session.tools().map((tool) => bindActive(tool, signal))];
}

/** A tool that a skill brings along. Its words and its results come from the skill. */
function bindActive(tool: SkillTool, ending: AbortSignal | undefined): BoundTool {
  const { name, description, input, inputSchema } = tool;
  return {
    name,
    description: neutralise(shorten(description, MAX_TOOL_DESCRIPTION)),
    input,
    inputSchema,
    run: (value, { signal } = {}) =>
      answerInWords(async () => showResult(await tool.call(value, { signal: anyOf(ending, signal) }))),
  };
}

/** The session, whose loads activate what they load. */
const activating = (session: Session): Session => ({
  ...session,
  async load(reference, how) {
    const loaded = await session.load(reference, how);
    const listing = await activateLoaded(session, loaded);
    return listing === '' ? loaded : { ...loaded, text: `${loaded.text}\n${listing}` };
  },
});

/** Activates the tools of a loaded skill and lists them; empty when it has none, or the model has the list already. */
async function activateLoaded(session: Session, { status, metadata }: LoadResult): Promise<string> {
  const { path, name } = metadata;
  const record = (await session.catalog()).skills.find((skill) => skill.path === path);
  if (status === 'quiz' || record === undefined || !hasToolsets(record)) return '';
  const active = session.tools().filter(({ skill }) => skill.path === path);
  if (active.length > 0) return status === 'already-loaded' ? '' : renderTools(name, active);
  try {
    const { tools, diagnostics } = await session.activate({ path });
    return renderTools(
      name,
      tools,
      diagnostics.map((diagnostic) => renderDiagnostic(diagnostic)),
    );
  } catch (error) {
    // The skill is loaded all the same: it says itself what it needs its tools for.
    if (error instanceof SkillwrightError)
      return renderTools(name, [], [renderDiagnostic(diagnosticOf(error))]);
    throw error;
  }
}

/** The tools of a skill for a model. Names, descriptions and schemas come from the skill. */
function renderTools(skill: string, tools: readonly SkillTool[], problems: readonly string[] = []): string {
  return [
    `<skill_tools name="${escapeXml(oneLine(skill))}">`,
    tools.length === 0 ? 'The tools of this skill cannot be used.' : 'Call these tools with skill_tool.',
    ...tools.map(({ tool, description, inputSchema }) => {
      const about = neutralise(shorten(oneLine(description), MAX_TOOL_DESCRIPTION));
      return `- ${neutralise(oneLine(tool))}: ${about} Input: ${visibleJson(inputSchema)}`;
    }),
    ...problems.map((problem) => neutralise(problem.trimEnd())),
    '</skill_tools>',
  ].join('\n');
}

function schemaOf(input: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length < 2 ? given[0] : AbortSignal.any(given);
}
