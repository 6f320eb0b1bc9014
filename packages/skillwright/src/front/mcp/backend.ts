// The port for a server's work: done in this process, or in child processes that can be killed.

import type { CallToolResult, GetPromptResult, LoggingLevel, Prompt } from '@modelcontextprotocol/server';
import type { SkillReadResult, SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { SavableQuizMemory } from '../../skill/quiz/index.ts';
import type { Completion, CompletionRequest } from './complete-reference.ts';
import type { Answered, PersonAnswer } from './person-question.ts';
import type { ServedWatch } from './watch-served.ts';

/** The caller. */
export interface Caller {
  /** Identifies the connection; state is remembered per connection. */
  readonly connection: string;
  readonly cwd: string;
  /** The name of the client, and the run of its accesses in the log. */
  readonly client?: string | undefined;
  readonly run?: string | undefined;
  /** Quizzes passed in the connection; undefined when the state file of the command line applies. */
  readonly quizzes: SavableQuizMemory | undefined;
  /** Answers of the person at the client; undefined when the client cannot ask. */
  readonly person?: readonly PersonAnswer[] | undefined;
}

/** A message sent during a call. */
export type Said =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'log'; readonly level: LoggingLevel; readonly text: string };

/** A tool call. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** Receives messages during the call. */
  readonly hears?: ((said: Said) => void) | undefined;
}

/** A prompt request. */
export interface PromptCall {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Event of a watch: the list of skills changed, or some file did. */
export type WatchEvent = 'changed' | 'touched';

/** State of a file: its digest; null when it is gone; undefined when it may not be read. */
export type Stamps = Readonly<Record<string, string | null | undefined>>;

/** All work that involves skills. */
export interface Backend {
  /** Never throws because of a caller: a failure is a result with `isError` and the code. */
  callTool(caller: Caller, call: ToolCall): Promise<Answered<CallToolResult>>;
  listPrompts(caller: Caller): Promise<Prompt[]>;
  getPrompt(caller: Caller, prompt: PromptCall, signal?: AbortSignal): Promise<Answered<GetPromptResult>>;
  /** A file of a skill or a section of it; undefined when there is none. */
  read(caller: Caller, uri: string, signal?: AbortSignal): Promise<Answered<SkillReadResult>>;
  complete(caller: Caller, request: CompletionRequest): Promise<Completion>;
  /** State of files, by URI. */
  stamp(caller: Caller, uris: readonly string[]): Promise<Stamps>;
  /** The skills extension. */
  skillSource(caller: () => Promise<Caller>): SkillSource;
  watch(cwd: string, tell: (event: WatchEvent) => void): ServedWatch;
  close(): Promise<void>;
}
