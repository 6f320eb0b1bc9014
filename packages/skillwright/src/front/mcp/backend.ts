// The port for a server's work: done in this process, or in child processes that can be killed.

import type { CallToolResult, GetPromptResult, LoggingLevel, Prompt } from '@modelcontextprotocol/server';
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
  /** Aborted when the client no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

/** A message sent during a call. */
export type Said =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'log'; readonly level: LoggingLevel; readonly text: string };

/** A tool call. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  /** Receives messages during the call. */
  readonly hears?: ((said: Said) => void) | undefined;
}

/** A prompt request. */
interface PromptCall {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Event of a watch: the list of skills changed, or some file did. */
export type WatchEvent = 'changed' | 'touched';

/** State of a file: its digest; null when it is gone; undefined when it may not be read. */
export type Stamps = Readonly<Record<string, string | null | undefined>>;

/** A file as the protocol sends it, without its URI; `blob` is Base64. */
export type FileContents =
  | { readonly text: string; readonly mimeType: string }
  | { readonly blob: string; readonly mimeType: string };

/** The methods of the skills extension, besides reading. */
export const sourceMethods = ['list', 'get', 'readDirectory', 'listResources'] as const;

/** All work that involves skills. */
export interface Backend {
  /** Never throws because of a caller: a failure is a result with `isError` and the code. */
  callTool(caller: Caller, call: ToolCall): Promise<Answered<CallToolResult>>;
  listPrompts(caller: Caller): Promise<Prompt[]>;
  getPrompt(caller: Caller, prompt: PromptCall): Promise<Answered<GetPromptResult>>;
  /** A file of a skill or a section of it; undefined when there is none. */
  read(caller: Caller, uri: string): Promise<Answered<FileContents>>;
  complete(caller: Caller, request: CompletionRequest): Promise<Completion>;
  /** State of files, by URI. */
  stamp(caller: Caller, uris: readonly string[]): Promise<Stamps>;
  /** Calls a method of the skills extension. */
  source(caller: Caller, name: (typeof sourceMethods)[number], args: readonly unknown[]): Promise<unknown>;
  watch(cwd: string, tell: (event: WatchEvent) => void): ServedWatch;
  close(): Promise<void>;
}
