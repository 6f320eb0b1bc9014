// skillwright/adapters/langchain: the skills of a session as tools of LangChain.

import type * as z from 'zod';
import type { Session } from '../runtime/index.ts';
import { bindTools } from './session-tools.ts';

/** What `tool()` of `langchain` is given besides the function. */
export interface LangChainToolFields {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodObject;
}

/** The tools, for `tools` of an agent. Pass `tool` of `langchain` or `@langchain/core/tools`. Empty when there are no skills. */
export async function createSkillTools<Tool>(
  session: Session,
  tool: (run: (input: unknown) => Promise<string>, fields: LangChainToolFields) => Tool,
): Promise<Tool[]> {
  const tools = await bindTools(session);
  return tools.map(({ name, description, input, run }) =>
    tool((value) => run(value), { name, description, schema: input }),
  );
}
