// The declaration of an operation. Every front end is derived from it.

import type * as z from 'zod';
import type { Paint } from '../../base/diagnostics/index.ts';
import type { Served } from '../../read/usage/index.ts';
import type { Actor, Operation } from '../../skill/judge/index.ts';
import type { CommandContext, Connection } from './command-context.ts';
import type { Fields, FieldsSchema } from './fields.ts';

/** Effect of a command, for permission questions and MCP annotations. */
export type Effect =
  /** Reads only. */
  | 'read'
  /** Creates or changes files, and deletes nothing. */
  | 'write'
  /** May delete files. */
  | 'destructive';

/**
 * A place an operation may write, besides its row in the access log. `runtime directories` belong to the skills it
 * works on, `agent directories` are those the user's configuration names, `granted directories` those the user lets a
 * skill write, and `named directory` the one in the input.
 */
export type Written =
  | 'runtime directories'
  | 'agent directories'
  | 'stores'
  | 'configuration'
  | 'credentials'
  | 'state'
  | 'access logs'
  | 'cache'
  | 'granted directories'
  | 'named directory';

/**
 * The skills a command touches, and how. Required, because the judge is asked before the command runs; a command that
 * names no skill says so.
 */
type Touches<Field extends string> =
  | 'nothing'
  /** One skill, named by a field; if the field is optional and empty, all skills. */
  | { readonly skill: Field; readonly operation: Operation }
  /** Several skills, which the command opens one by one. */
  | { readonly skills: Operation };

/** Where text output is shown. */
export interface View {
  readonly paint: Paint;
  readonly columns: number;
  /** Whether the columns are a terminal's; only then are tables cut to them. */
  readonly isTerminal?: boolean;
  /** The reader, for whom suggested commands are spelled. */
  readonly by: Actor;
}

/** Renders a result as text, with a newline at the end unless empty. */
export type Renderer<Output> = (output: Output, view: View) => string;

/** An example in the help. */
export interface Example {
  readonly line: string;
  readonly note: string;
}

/** A value that is only read, all the way down. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** An operation without its schemas. */
interface OperationParts<Input extends z.ZodObject, Output extends z.ZodType, World> {
  readonly effect: Effect;
  /** Every place it may write, unless the user sets one of their own fields. */
  readonly writes: readonly Written[];
  /**
   * Fields only the user may set, with the value each has for a model. They go beyond the user's configuration or cannot
   * be undone. Front ends that act for a model neither offer nor accept them.
   */
  readonly usersOwn?: { readonly [Field in keyof z.output<Input> & string]?: z.output<Input>[Field] };
  /** Flags that mean nothing without one of the named others. E100 when one is given alone. */
  readonly belongsTo?: {
    readonly [Field in keyof z.output<Input> & string]?: readonly (keyof z.output<Input> & string)[];
  };
  /** Pairs of flags that exclude each other; E100. */
  readonly excludes?: readonly (readonly [keyof z.output<Input> & string, keyof z.output<Input> & string])[];
  readonly touches: Touches<keyof z.output<Input> & string>;
  /** Throws a SkillwrightError for every failure a caller can cause. */
  run(input: z.output<Input>, world: World): Frozen<z.output<Output>> | Promise<Frozen<z.output<Output>>>;
}

/** The schemas of an operation. Field names are the wire names: `max_lines` is `--max-lines` on the command line. */
interface Schemas<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/** The declaration of an operation that acts on the session of a connection, which judges and records. */
export interface OperationDefinition<Input extends z.ZodObject, Output extends z.ZodType>
  extends OperationParts<Input, Output, Connection>,
    Schemas<Input, Output> {}

/** An operation for the command line: judged before it runs, with a result that has a text. */
interface CommandParts<Input extends z.ZodObject, Output extends z.ZodType>
  extends OperationParts<Input, Output, CommandContext> {
  /** Positional fields, in order; the last may be a list. */
  readonly positionals: readonly (keyof z.output<Input> & string)[];
  /** Other names of fields that callers of tools use. */
  readonly aliases?: Readonly<Record<string, keyof z.output<Input> & string>>;
  /** A paragraph under the usage line of the help and on the documentation page. */
  readonly about?: string;
  /** The help line when an argument is missing, from those that were given. */
  incomplete?(input: Readonly<Record<string, unknown>>): string | undefined;
  readonly examples?: readonly Example[];
  readonly text: Renderer<z.output<Output>>;
  /** Output formats besides `text` and `json`. */
  readonly formats?: Readonly<Record<string, Renderer<z.output<Output>>>>;
  /** Present on operations the access log records: the served content, for the statistics. */
  served?(output: z.output<Output>, input: z.output<Input>): Served;
  /** The part of the input the access log keeps; all of it by default. */
  logged?(input: z.output<Input>): Record<string, unknown>;
  /** True when the result means failure, such as lint errors: exit status 1 without an exception. */
  failed?(output: z.output<Output>): boolean;
}

/** The declaration of a command. */
export interface CommandDefinition<Input extends z.ZodObject, Output extends z.ZodType>
  extends CommandParts<Input, Output>,
    Schemas<Input, Output> {}

/** A command that must start fast. `withSchemas` completes it for front ends that need schemas. */
export interface QuickDefinition<F extends Fields, Output extends z.ZodType>
  extends CommandParts<FieldsSchema<F>, Output> {
  readonly fields: F;
  output(): Promise<Output>;
}

/** A declaration without its types, as front ends handle it. */
// biome-ignore lint/suspicious/noExplicitAny: input and output types differ from row to row of the table
export type AnyCommand = CommandDefinition<any, any>;

/** Declares a command that must start fast. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyQuickCommand = QuickDefinition<any, any>;

/** A command of either kind. */
export type AnyDeclaration = AnyCommand | AnyQuickCommand;

/** Declares an operation of a session. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyOperation = OperationDefinition<any, any>;

/** Declares a command; exists only for type inference. */
export function defineCommand<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: CommandDefinition<Input, Output>,
): CommandDefinition<Input, Output> {
  return definition;
}

/** Declares a command that must start fast; exists only for type inference. */
export function defineQuickCommand<const F extends Fields, Output extends z.ZodType>(
  definition: QuickDefinition<F, Output>,
): QuickDefinition<F, Output> {
  return definition;
}

/** Declares an operation of a session; exists only for type inference. */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: OperationDefinition<Input, Output>,
): OperationDefinition<Input, Output> {
  return definition;
}
