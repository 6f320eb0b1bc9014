// skillwright/adapters/openai-agents: the skills of a session as tools of the OpenAI Agents SDK.

import type * as z from 'zod';
import type { Session } from '../runtime/index.ts';
import { bindTools } from './session-tools.ts';

/** What `tool()` of `@openai/agents` is given. */
export interface OpenAiToolOptions {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodObject;
  readonly execute: (input: unknown) => Promise<string>;
}

/** The tools, for `tools` of an agent. Pass `tool` of `@openai/agents`. Empty when there are no skills. */
export async function createSkillTools<Tool>(
  session: Session,
  tool: (options: OpenAiToolOptions) => Tool,
): Promise<Tool[]> {
  const tools = await bindTools(session);
  return tools.map(({ name, description, input, run }) =>
    tool({ name, description, parameters: input, execute: (value) => run(value) }),
  );
}
