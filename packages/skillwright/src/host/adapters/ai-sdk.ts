// skillwright/adapters/ai-sdk: the skills of a session as tools of the AI SDK.

import type * as z from 'zod';
import type { Session } from '../runtime/index.ts';
import { bindTools } from './session-tools.ts';

/** A tool as `generateText`, `streamText` and `ToolLoopAgent` take it. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly execute: (input: unknown) => Promise<string>;
}

/** The tools by name, for `tools`. Empty when there are no skills. */
export async function createSkillTools(session: Session): Promise<Record<string, AiSdkTool>> {
  const tools = await bindTools(session);
  return Object.fromEntries(
    tools.map(({ name, description, input, run }) => [
      name,
      { description, inputSchema: input, execute: (value: unknown) => run(value) },
    ]),
  );
}
