// Who does the work of a server: this process, or others that can be given up.

import type { CallToolResult, GetPromptResult, LoggingLevel, Prompt } from '@modelcontextprotocol/server';
import type { SkillReadResult, SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { SavableQuizMemory } from '../../skill/quiz/index.ts';
import type { Completion, CompletionRequest } from './complete-reference.ts';
import type { Answered, PersonAnswer } from './person-question.ts';
import type { ServedWatch } from './watch-served.ts';

/** Who asks. */
export interface Caller {
  /** Stands for the connection; what one was given is remembered for it alone. */
  readonly connection: string;
  readonly cwd: string;
  /** Which quizzes were passed in the connection; undefined where the state file of the command line says so. */
  readonly quizzes: SavableQuizMemory | undefined;
  /** What the person at the client has answered; undefined where the client cannot ask them. */
  readonly person?: readonly PersonAnswer[] | undefined;
}

/** Something said while a call goes on. */
export type Said =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'log'; readonly level: LoggingLevel; readonly text: string };

/** One call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** Hears what is said meanwhile; absent where nobody wants to know. */
  readonly hears?: ((said: Said) => void) | undefined;
}

/** One prompt. */
export interface PromptCall {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

/** What a watch tells: skills came, went or are described otherwise; or something changed on the disk. */
export type WatchEvent = 'changed' | 'touched';

/** The state of a file: its digest, null when it is gone; undefined when it may not be given. */
export type Stamps = Readonly<Record<string, string | null | undefined>>;

/** Everything that needs skills. */
export interface Backend {
  /** Never throws what a caller can cause: a failure is a result with `isError` and the code. */
  callTool(caller: Caller, call: ToolCall): Promise<Answered<CallToolResult>>;
  listPrompts(caller: Caller): Promise<Prompt[]>;
  getPrompt(caller: Caller, prompt: PromptCall, signal?: AbortSignal): Promise<Answered<GetPromptResult>>;
  /** A file of a skill, or a section of one; no result when there is none. */
  read(caller: Caller, uri: string, signal?: AbortSignal): Promise<Answered<SkillReadResult>>;
  complete(caller: Caller, request: CompletionRequest): Promise<Completion>;
  /** How files stand, by their URIs. */
  stamp(caller: Caller, uris: readonly string[]): Promise<Stamps>;
  /** The skills extension. */
  skillSource(caller: () => Promise<Caller>): SkillSource;
  watch(cwd: string, tell: (event: WatchEvent) => void): ServedWatch;
  close(): Promise<void>;
}
