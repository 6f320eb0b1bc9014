// skillwright/adapters/langchain: the skills of a session as tools of LangChain.

import type * as z from 'zod';
import type { Session } from '../runtime/index.ts';
import { bindTools, type ToolOptions } from './bind-tools.ts';

/** Second argument of LangChain's `tool()`. */
export interface LangChainToolFields {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodObject;
}

/** First argument of LangChain's `tool()`: the function it runs. */
type LangChainRun = (
  input: unknown,
  config?: { readonly signal?: AbortSignal | undefined },
) => Promise<string>;

/**
 * Tools for `tools` of an agent. Pass `tool` from `langchain` or `@langchain/core/tools`. Empty when there are no
 * skills. Aborting the run stops what a tool started.
 */
export async function createSkillTools<Tool>(
  session: Session,
  tool: (run: LangChainRun, fields: LangChainToolFields) => Tool,
  options: ToolOptions = {},
): Promise<Tool[]> {
  const tools = await bindTools(session, options);
  return tools.map(({ name, description, input, run }) =>
    tool((value, config) => run(value, { signal: config?.signal }), { name, description, schema: input }),
  );
}
