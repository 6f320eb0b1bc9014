// skillwright/adapters/openai-agents: the skills of a session as tools of the OpenAI Agents SDK.

import type { Session } from '../runtime/index.ts';
import { bindTools, type ToolOptions } from './bind-tools.ts';

/** What `tool()` of `@openai/agents` is given. */
export interface OpenAiToolOptions {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. The strict form of the SDK has no optional fields and no open objects, which tools of skills may have. */
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
 * The tools, for `tools` of an agent. Pass `tool` of `@openai/agents`. Empty when there are no skills. An abort of the run
 * ends what a tool has started.
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
