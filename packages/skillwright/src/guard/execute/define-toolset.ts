// What a module of a skill exports to bring tools along.

import type * as z from 'zod';

/** A JSON Schema of an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Anything a schema library gives that can tell its JSON Schema, as zod does. */
export interface DescribedSchema {
  readonly '~standard': { readonly version: 1; readonly vendor: string };
}

/** What a tool knows while it runs. */
export interface ToolContext {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The directory of the skill, read-only. */
  readonly skillDir: string;
}

type InputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, unknown>;

/** One tool. */
export interface ToolDefinition<Schema extends JsonSchema | DescribedSchema = JsonSchema | DescribedSchema> {
  /** For the model: what it does and when to use it. */
  readonly description: string;
  /** What it takes: an object. Nothing when left out. */
  readonly input?: Schema;
  /** The result as plain JSON. What it throws becomes the error of this call. */
  run(input: InputOf<Schema>, context: ToolContext): unknown;
}

/** A set of tools. */
export interface Toolset {
  /** For people; what the tools are called follows from the skill. */
  readonly name?: string;
  readonly description?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the input of a tool follows from its own schema
  readonly tools: Readonly<Record<string, ToolDefinition<any>>>;
}

/**
 * Declares a toolset; exists for type inference alone. A plain object of the same shape does as well, so a skill needs no
 * dependency; inside a toolset `skillwright/guard` has this function and nothing else.
 */
export function defineToolset<const Schemas extends Record<string, JsonSchema | DescribedSchema>>(toolset: {
  readonly name?: string;
  readonly description?: string;
  readonly tools: { readonly [Name in keyof Schemas]: ToolDefinition<Schemas[Name]> };
}): Toolset {
  return toolset;
}
