// skillwright/adapters/openai-agents: the skills of a session as tools of the OpenAI Agents SDK.

import type { Session } from '../runtime/index.ts';
import { bindTools, type ToolOptions } from './bind-tools.ts';

/** Argument of `tool()` from `@openai/agents`. */
export interface OpenAiToolOptions {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. Strict mode of the SDK forbids optional fields and open objects, and a skill's tools may have both. */
  readonly parameters: {
    readonly type: 'object';
    readonly properties: Record<string, never>;
    readonly required: string[];
    readonly additionalProperties: true;
  };
  readonly strict: false;
  readonly execute: (
    input: unknown,
    context?: unknown,
    details?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<string>;
}

/**
 * Tools for `tools` of an agent. Pass `tool` from `@openai/agents`. Empty when there are no skills. Aborting the run
 * stops what a tool started.
 */
export async function createSkillTools<Tool>(
  session: Session,
  tool: (options: OpenAiToolOptions) => Tool,
  options: ToolOptions = {},
): Promise<Tool[]> {
  const tools = await bindTools(session, options);
  return tools.map(({ name, description, inputSchema, run }) =>
    tool({
      name,
      description,
      parameters: {
        properties: {},
        required: [],
        ...inputSchema,
        type: 'object',
        additionalProperties: true,
      } as OpenAiToolOptions['parameters'],
      strict: false,
      execute: (value, _context, details) => run(value, { signal: details?.signal }),
    }),
  );
}
