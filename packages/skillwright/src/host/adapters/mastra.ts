// skillwright/adapters/mastra: the skills of a session as tools of Mastra.

import type * as z from 'zod';
import type { Session } from '../runtime/index.ts';
import { bindTools, type ToolOptions } from './bind-tools.ts';

/** A tool for Mastra's `Agent`. */
export interface MastraTool {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly execute: (
    input: unknown,
    call?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string>;
}

/**
 * Tools by name, for `tools` of an agent. Empty when there are no skills. Aborting the run stops what a tool
 * started.
 */
export async function createSkillTools(
  session: Session,
  options: ToolOptions = {},
): Promise<Record<string, MastraTool>> {
  const tools = await bindTools(session, options);
  return Object.fromEntries(
    tools.map(({ name, description, input, run }) => [
      name,
      {
        id: name,
        description,
        inputSchema: input,
        execute: (value: unknown, call) => run(value, { signal: call?.abortSignal }),
      } satisfies MastraTool,
    ]),
  );
}
