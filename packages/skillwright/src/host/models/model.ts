// A model that can be asked: an endpoint or a command.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { ModelEntry } from '../../skill/config/index.ts';

/** A tool the model may call. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A call of a tool. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One message of a conversation, the system prompt apart. */
export type ModelTurn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly text: string };

/** A question to a model. */
export interface ModelRequest {
  readonly system: string;
  readonly turns: readonly ModelTurn[];
  readonly tools?: readonly ModelTool[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Directory and variables for a command; endpoints do not use them. */
  readonly place?: CommandPlace | undefined;
}

/** Where a command runs. */
export interface CommandPlace {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** An answer. */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  /** The calls were written as text. */
  readonly isTextCall?: boolean | undefined;
  /** Null when nobody counts them. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** True when the answer was cut at its limit. */
  readonly isCut: boolean;
}

/** A model that is ready to be asked. */
export interface Model {
  /** Its name in the configuration. */
  readonly name: string;
  readonly kind: NonNullable<ModelEntry['kind']>;
  /** Its name at the endpoint, or the program. */
  readonly label: string;
  /** Whether it can call tools. */
  readonly hasTools: boolean;
  readonly maxTokens: number;
  /** Prices of a million tokens; undefined unless both are configured. */
  readonly prices: { readonly input: number; readonly output: number } | undefined;
  /** Everything that determines its answers, for comparing runs; no secret is in it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** E266 when it gives no usable answer. */
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

/** Names the setting behind a timeout. */
export const withTimeout = (name: string, why: string, timeoutMs: number): string =>
  /timed out/.test(why) ? `timed out after ${timeoutMs / 1000} s; raise models.${name}.timeout` : why;

/** The error. `isFinal` when every other question would fail the same way. */
export function noAnswer(
  name: string,
  why: string,
  { isFinal = false }: { readonly isFinal?: boolean } = {},
): SkillwrightError {
  return SkillwrightError.of('E266', { name, why }, { data: { model: name, why, final: isFinal } });
}
