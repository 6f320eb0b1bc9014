// Who does the work of a server: this process, or others that can be given up.

import type { CallToolResult, GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { SavableQuizMemory } from '../../skill/quiz/index.ts';
import type { ServedWatch } from './watch-served.ts';

/** Who asks. */
export interface Caller {
  /** Stands for the connection; what one was given is remembered for it alone. */
  readonly connection: string;
  readonly cwd: string;
  /** Which quizzes were passed in the connection; undefined where the state file of the command line says so. */
  readonly quizzes: SavableQuizMemory | undefined;
}

/** Everything that needs skills. */
export interface Backend {
  /** Never throws what a caller can cause: a failure is a result with `isError` and the code. */
  callTool(
    caller: Caller,
    call: { readonly name: string; readonly args: unknown; readonly signal: AbortSignal },
  ): Promise<CallToolResult>;
  listPrompts(caller: Caller): Promise<Prompt[]>;
  getPrompt(
    caller: Caller,
    prompt: { readonly name: string; readonly values: Readonly<Record<string, string>> },
  ): Promise<GetPromptResult>;
  /** The skills extension. */
  skillSource(caller: () => Promise<Caller>): SkillSource;
  /** Calls `changed` when a skill comes, goes, or is described otherwise. */
  watch(cwd: string, changed: () => void): ServedWatch;
  close(): Promise<void>;
}
