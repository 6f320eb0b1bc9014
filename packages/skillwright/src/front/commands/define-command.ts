// What an operation is: declared once, and every front end is made from the declaration.

import type * as z from 'zod';
import type { Paint } from '../../base/diagnostics/index.ts';
import type { Actor, Operation } from '../../skill/judge/index.ts';
import type { ServedAnswers } from '../../skill/quiz/index.ts';
import type { CommandContext, Connection } from './command-context.ts';

/** What a command does to the world, for permission questions and MCP annotations. */
export type Effect =
  /** Only looks. */
  | 'read'
  /** Creates or changes files, and loses nothing. */
  | 'write'
  /** May remove what was there. */
  | 'destructive';

/**
 * Somewhere an operation may write, besides the row of the access log that everything leaves that hands out content.
 * `runtime directories` are those of the skills it is about; `agent directories` those that the user's configuration
 * names; `granted directories` what the user lets a skill write; `named directory` the one in the input.
 */
export type Written =
  | 'runtime directories'
  | 'agent directories'
  | 'stores'
  | 'configuration'
  | 'state'
  | 'access logs'
  | 'cache'
  | 'granted directories'
  | 'named directory';

/**
 * Which skills a command touches, and how. The judge is asked before it runs, so this cannot be left out: a command that
 * names no skill says so.
 */
export type Touches<Field extends string> =
  | 'nothing'
  /** One skill, named by a field; where the field may be empty, all of them then. */
  | { readonly skill: Field; readonly operation: Operation }
  /** Any number of skills, which the command opens one by one. */
  | { readonly skills: Operation };

/** How text output may be shaped by the place it is shown in. */
export interface View {
  readonly paint: Paint;
  readonly columns: number;
  /** Whether the columns are those of a terminal: tables are cut to them there alone. */
  readonly isTerminal?: boolean;
  /** Who reads it: commands to go on with are spelled for them. */
  readonly by: Actor;
}

/** Turns a result into what is printed; ends with a newline unless empty. */
export type Renderer<Output> = (output: Output, view: View) => string;

/** What an operation handed out, or took in. */
export interface Served extends Partial<ServedAnswers> {
  /** Sections that were read, as they are called in the skill. */
  readonly sections?: readonly { readonly file: string; readonly section: string }[];
  readonly files?: readonly string[];
  /** How many results a search had. */
  readonly results?: number;
}

/** A line of help that shows the command at work. */
export interface Example {
  readonly line: string;
  readonly note: string;
}

/** A value that is only read, all the way down. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/**
 * The declaration of one operation. Names of fields are the wire names: `max_lines` is `--max-lines` on the command line.
 * It acts on the session of a connection, which judges and records, unless it says that its world is another one.
 */
export interface OperationDefinition<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  World = Connection,
> {
  readonly input: Input;
  /** A getter where a run must be short: only what describes the operation asks for it. */
  readonly output: Output;
  readonly effect: Effect;
  /** Everywhere it may write while nobody sets what is the user's own. */
  readonly writes: readonly Written[];
  /**
   * Fields that only the user may set, with the value each has for a model: what goes beyond the user's configuration, or
   * cannot be undone. Front ends that act for a model do not offer them, and refuse them.
   */
  readonly usersOwn?: { readonly [Field in keyof z.output<Input> & string]?: z.output<Input>[Field] };
  readonly touches: Touches<keyof z.output<Input> & string>;
  /** Throws a SkillwrightError for what a caller can cause. */
  run(input: z.output<Input>, world: World): Frozen<z.output<Output>> | Promise<Frozen<z.output<Output>>>;
}

/** An operation that a person can type and read: it is judged before it runs, and its result has a text. */
export interface CommandDefinition<Input extends z.ZodObject, Output extends z.ZodType>
  extends OperationDefinition<Input, Output, CommandContext> {
  /** Fields given by position, in order; the last may be a list. */
  readonly positionals: readonly (keyof z.output<Input> & string)[];
  /** Other names of fields, which callers of tools use for the same thing. */
  readonly aliases?: Readonly<Record<string, keyof z.output<Input> & string>>;
  /** A paragraph under the usage line of the help and on the documentation page. */
  readonly about?: string;
  readonly examples?: readonly Example[];
  readonly text: Renderer<z.output<Output>>;
  /** Output formats besides `text` and `json`. */
  readonly formats?: Readonly<Record<string, Renderer<z.output<Output>>>>;
  /** Present on operations that the access log records: what was handed out, for the statistics. */
  served?(output: z.output<Output>): Served;
  /** What the access log keeps of the input; all of it unless this says otherwise. */
  logged?(input: z.output<Input>): Record<string, unknown>;
  /** True when the result itself means failure, such as lint errors: exit status 1 although nothing was thrown. */
  failed?(output: z.output<Output>): boolean;
}

/** A declaration whose types have been forgotten, as front ends handle it. */
// biome-ignore lint/suspicious/noExplicitAny: input and output types differ from row to row of the table
export type AnyCommand = CommandDefinition<any, any>;

/** The same for an operation of a session. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyOperation = OperationDefinition<any, any>;

/** Declares a command; exists for type inference alone. */
export function defineCommand<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: CommandDefinition<Input, Output>,
): CommandDefinition<Input, Output> {
  return definition;
}

/** Declares an operation of a session; exists for type inference alone. */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: OperationDefinition<Input, Output>,
): OperationDefinition<Input, Output> {
  return definition;
}
