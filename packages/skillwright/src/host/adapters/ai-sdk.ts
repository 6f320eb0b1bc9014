// skillwright/adapters/ai-sdk: the skills of a session as tools of the AI SDK.

import type * as z from 'zod';
import type { Session } from '../runtime/index.ts';
import { bindTools, type ToolOptions } from './bind-tools.ts';

/** A tool for `generateText`, `streamText` and `ToolLoopAgent`. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly execute: (
    input: unknown,
    call?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string>;
}

/** Tools by name, for `tools`. Empty when there are no skills. Aborting the run stops what a tool started. */
export async function createSkillTools(
  session: Session,
  options: ToolOptions = {},
): Promise<Record<string, AiSdkTool>> {
  const tools = await bindTools(session, options);
  return Object.fromEntries(
    tools.map(({ name, description, input, run }) => [
      name,
      {
        description,
        inputSchema: input,
        execute: (value: unknown, call) => run(value, { signal: call?.abortSignal }),
      } satisfies AiSdkTool,
    ]),
  );
}
