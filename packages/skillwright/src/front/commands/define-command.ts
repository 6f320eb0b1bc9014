// The declaration of an operation. Every front end is derived from it.

import type * as z from 'zod';
import type { Paint } from '../../base/diagnostics/index.ts';
import type { Frozen } from '../../base/frozen.ts';
import type { Served } from '../../read/usage/index.ts';
import type { Actor, Touches, Written } from '../../skill/judge/index.ts';
import type { CommandContext } from './command-context.ts';
import { type Fields, type FieldsSchema, usersOwn } from './fields.ts';

/** Effect of a command, for permission questions and MCP annotations. */
export type Effect =
  /** Reads only. */
  | 'read'
  /** Creates or changes files, and deletes nothing. */
  | 'write'
  /** May delete files. */
  | 'destructive';

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

/** A line, none, or more lines. */
export type Line = string | false | null | undefined | readonly Line[];

/** The lines that are there, or the parts of one. */
export function linesOf(line: Line): string[] {
  if (typeof line === 'string') return [line];
  return line ? line.flatMap(linesOf) : [];
}

/** Lines as text that ends with a newline; a text is finished already. */
export function textOf(text: string | readonly Line[]): string {
  if (typeof text === 'string') return text;
  const lines = linesOf(text);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** The schemas of a command. Field names are the wire names: `max_lines` is `--max-lines` on the command line. */
interface Schemas<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/** A command without its schemas: judged before it runs, with a result that has a text. */
interface CommandParts<Input extends z.ZodObject, Output extends z.ZodType> {
  readonly effect: Effect;
  /** Every place it may write, unless the user sets one of their own fields. */
  readonly writes: readonly Written[];
  /** Fields only the user may set, with the value each has for a model: those declared with `own`. */
  readonly usersOwn?: Readonly<Record<string, unknown>>;
  /** Flags that mean nothing without one of the named others. E100 when one is given alone. */
  readonly belongsTo?: {
    readonly [Field in keyof z.output<Input> & string]?: readonly (keyof z.output<Input> & string)[];
  };
  /** Pairs of flags that exclude each other; E100. */
  readonly excludes?: readonly (readonly [keyof z.output<Input> & string, keyof z.output<Input> & string])[];
  readonly touches: Touches<keyof z.output<Input> & string>;
  /** Throws a SkillwrightError for every failure a caller can cause. */
  run(
    input: z.output<Input>,
    context: CommandContext,
  ): Frozen<z.output<Output>> | Promise<Frozen<z.output<Output>>>;
  /** Positional fields, in order; the last may be a list. */
  readonly positionals: readonly (keyof z.output<Input> & string)[];
  /** Other names of fields that callers of tools use. */
  readonly aliases?: Readonly<Record<string, keyof z.output<Input> & string>>;
  /** A paragraph under the usage line of the help and on the documentation page. */
  readonly about?: string;
  /** The help line when an argument is missing, from those that were given. */
  incomplete?(input: Readonly<Record<string, unknown>>): string | undefined;
  /** Command lines in the help, with what each is for. */
  readonly examples?: Readonly<Record<string, string>>;
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

/** The schema of a result, or a function that loads it, for a command that must start fast. */
type Result = z.ZodType | (() => Promise<z.ZodType>);

/** The schema itself. */
export type ResultSchema<R extends Result> = R extends () => Promise<infer Schema extends z.ZodType>
  ? Schema
  : R extends z.ZodType
    ? R
    : never;

/** The declaration of a command, whose fields are plain data. */
export interface CommandDeclaration<F extends Fields, R extends Result>
  extends CommandParts<FieldsSchema<F>, ResultSchema<R>> {
  readonly fields: F;
  readonly output: R;
}

/** A declaration without its types, as front ends handle it. */
// biome-ignore lint/suspicious/noExplicitAny: input and output types differ from row to row of the table
export type AnyDeclaration = CommandDeclaration<any, any>;

/** A command with its schemas. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyCommand = CommandParts<any, any> & { readonly fields: Fields } & Schemas<
    z.ZodObject,
    z.ZodType
  >;

/** Declares a command, whose text may be a list of lines. */
export function defineCommand<const F extends Fields, R extends Result>(
  definition: Omit<CommandDeclaration<F, R>, 'text' | 'usersOwn'> & {
    text(output: z.output<ResultSchema<R>>, view: View): string | readonly Line[];
  },
): CommandDeclaration<F, R> {
  return {
    ...definition,
    usersOwn: usersOwn(definition.fields),
    text: (output, view) => textOf(definition.text(output, view)),
  };
}
