// The tools of one session for one model, and the tools a loaded skill adds.

import * as z from 'zod';
import {
  diagnosticOf,
  invalidOption,
  renderDiagnostic,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import { escapeXml, neutralise, oneLine, visibleJson } from '../../read/catalog/index.ts';
import { shorten } from '../../skill/format/index.ts';
import type { LoadResult } from '../answers/index.ts';
import { type CallOptions, hasScripts, hasToolsets, type Session, type SkillTool } from '../runtime/index.ts';
import {
  answerInWords,
  type SessionTool,
  type SessionToolName,
  sessionTools,
  showResult,
} from './session-tools.ts';

/** Which tools a model gets, and how they behave. */
export interface ToolOptions {
  /** Include only these of the session's own tools. Default: every tool that some skill can use. */
  readonly only?: readonly SessionToolName[] | undefined;
  /**
   * Whether loading a skill activates the tools it provides and lists them for `skill_tool`. Default: no; the host
   * activates skills itself. The same rules and trust apply as for `session.activate`.
   */
  readonly activateOnLoad?: boolean | undefined;
  /** Stops whatever any of the tools started. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool of one session. */
export interface BoundTool extends Pick<SessionTool, 'description' | 'input'> {
  /** Letters, digits and underscores, 64 at most: valid in every framework. */
  readonly name: string;
  /** The input as JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Returns text for the model. Rejects only on a bug or when the call is aborted. */
  run(input: unknown, options?: CallOptions): Promise<string>;
}

const MAX_TOOL_DESCRIPTION = 2000;

/**
 * The tools of a session, with those of active skills last. Returns none when the model may use no skill, and omits the
 * tools for scripts, toolsets and quizzes when no skill has any. If your framework accepts a new list, call this again
 * after you activate or deactivate a skill; otherwise `skill_tool` calls the tools that became active later.
 */
export async function bindTools(session: Session, options: ToolOptions = {}): Promise<readonly BoundTool[]> {
  const { only, activateOnLoad = false, signal } = options;
  const unknown = only?.find((name) => sessionTools.every((tool) => tool.name !== name));
  if (unknown !== undefined) throw invalidOption(`only: unknown session tool '${unknown}'`);
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
      inputSchema: toolSchema(input),
      run: (value: unknown, call: CallOptions = {}) =>
        execute(name === 'skill_load' && activateOnLoad ? activating(session) : session, value, {
          signal: anyOf(signal, call.signal),
        }),
    }));
  return [...own, ...session.tools().map((tool) => bindActive(tool, signal))];
}

/** A tool provided by a skill. Its description and its results come from the skill. */
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

/** The session, with loads that also activate the skill. */
const activating = (session: Session): Session => ({
  ...session,
  async load(reference, how) {
    const loaded = await session.load(reference, how);
    const listing = await activateLoaded(session, loaded);
    return listing === '' ? loaded : { ...loaded, text: `${loaded.text}\n${listing}` };
  },
});

/** Activates the tools of a loaded skill and lists them. Empty when it has none or the model already has the list. */
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
    // The skill is still loaded: its instructions explain what the tools are for.
    if (error instanceof SkillwrightError)
      return renderTools(name, [], [renderDiagnostic(diagnosticOf(error))]);
    throw error;
  }
}

/** Lists the tools of a skill for a model. Names, descriptions and schemas come from the skill. */
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

function toolSchema(input: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length < 2 ? given[0] : AbortSignal.any(given);
}
