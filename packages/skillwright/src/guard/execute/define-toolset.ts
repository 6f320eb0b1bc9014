// The shape of a toolset that a skill's module exports.

import type * as z from 'zod';

/** A JSON Schema of an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema of a library that can produce its JSON Schema, such as zod. */
interface DescribedSchema {
  readonly '~standard': { readonly version: 1; readonly vendor: string };
}

/** Context of a running tool. */
interface ToolContext {
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** The directory of the skill, read-only. */
  readonly skillDir: string;
}

type InputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, unknown>;

/** One tool. */
interface ToolDefinition<Schema extends JsonSchema | DescribedSchema = JsonSchema | DescribedSchema> {
  /** For the model: what it does and when to use it. */
  readonly description: string;
  /** Schema of the input, an object. The tool takes no input when left out. */
  readonly input?: Schema;
  /** Returns plain JSON. An exception becomes the error of this call. */
  run(input: InputOf<Schema>, context: ToolContext): unknown;
}

/** A set of tools. */
export interface Toolset {
  /** For people; tool names start with the skill's name. */
  readonly name?: string;
  readonly description?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each tool types its input by its own schema
  readonly tools: Readonly<Record<string, ToolDefinition<any>>>;
}

/**
 * Declares a toolset; exists only for type inference. A plain object of the same shape works too, so a skill needs no
 * dependency; inside a toolset `skillwright/guard` exports only this function.
 */
export function defineToolset<const Schemas extends Record<string, JsonSchema | DescribedSchema>>(toolset: {
  readonly name?: string;
  readonly description?: string;
  readonly tools: { readonly [Name in keyof Schemas]: ToolDefinition<Schemas[Name]> };
}): Toolset {
  return toolset;
}
