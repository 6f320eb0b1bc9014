// The input of a command as plain data, so that a start loads neither zod nor a schema. `field-schema.ts` makes the schema,
// for front ends that need one.

import type * as z from 'zod';

/** One field: required, with a default, or optional. */
export interface Field {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly about: string;
  /** A required list has at least one entry. */
  readonly list?: true;
  readonly required?: true;
  readonly default?: string | number | boolean | readonly string[];
  /** The only values allowed. */
  readonly values?: readonly string[];
  /** More than 0. */
  readonly positive?: true;
  /** The least number, or number of characters. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: { readonly expression: RegExp; readonly otherwise: string };
  readonly check?: { accepts(value: string): boolean; readonly otherwise: string };
  /** The schema of a text that another room defines. */
  readonly schema?: z.ZodType<string>;
  /** Only the user may set it. */
  readonly own?: true;
}

/** The fields of an input by their wire names. */
export type Fields = Readonly<Record<string, Field>>;

/** More about a field; without it, the field is optional. */
type Rest = Omit<Field, 'type' | 'about' | 'list' | 'values'>;

/**
 * A field that only the user may set: it goes beyond their configuration, or cannot be undone. Front ends that act for a
 * model neither offer nor accept it.
 */
export const own = <const F extends Field>(field: F) => ({ ...field, own: true }) as const;

/** The fields that only the user may set, with the value that each has for a model. */
export const usersOwn = (fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.own ? [[name, field.default]] : [])),
  );

/** A switch that is off by default. */
export const flag = (about: string) => ({ type: 'boolean', default: false, about }) as const;

/** A text. */
export function text(about: string): { readonly type: 'string'; readonly about: string };
export function text<const R extends Rest>(
  about: string,
  rest: R,
): { readonly type: 'string'; about: string } & R;
export function text(about: string, rest?: Rest): Field {
  return { type: 'string', about, ...rest };
}

/** A whole number. */
export function integer(about: string): { readonly type: 'integer'; readonly about: string };
export function integer<const R extends Rest>(
  about: string,
  rest: R,
): { readonly type: 'integer'; about: string } & R;
export function integer(about: string, rest?: Rest): Field {
  return { type: 'integer', about, ...rest };
}

/** One of a few words. */
export function choice<const V extends readonly string[]>(
  values: V,
  about: string,
): { readonly type: 'string'; readonly values: V; readonly about: string };
export function choice<const V extends readonly string[], const R extends Rest>(
  values: V,
  about: string,
  rest: R,
): { readonly type: 'string'; readonly values: V; readonly about: string } & R;
export function choice(values: readonly string[], about: string, rest?: Rest): Field {
  return { type: 'string', values, about, ...rest };
}

/** A list of texts, empty by default. */
export const texts = (about: string, { default: fallback = [] as readonly string[] } = {}) =>
  ({ type: 'string', list: true, default: fallback, about }) as const;

/** A list of some of a few words, empty by default. */
export const choices = <const V extends readonly string[]>(values: V, about: string) =>
  ({ ...texts(about), values }) as const;

type Scalar<F extends Field> = F extends { values: readonly (infer Value extends string)[] }
  ? z.ZodEnum<{ [One in Value]: One }>
  : { string: z.ZodString; integer: z.ZodNumber; number: z.ZodNumber; boolean: z.ZodBoolean }[F['type']];

type Listed<F extends Field> = F extends { list: true } ? z.ZodArray<Scalar<F>> : Scalar<F>;

type FieldSchema<F extends Field> = F extends { required: true }
  ? Listed<F>
  : F extends { default: string | number | boolean | readonly string[] }
    ? z.ZodDefault<Listed<F>>
    : z.ZodOptional<Listed<F>>;

/** The schema of fields. */
export type FieldsSchema<F extends Fields> = z.ZodObject<
  { [Name in keyof F]: FieldSchema<F[Name]> },
  z.core.$strict
>;

/** The input of a command. */
export type InputOf<Command extends { readonly fields: Fields }> = z.output<FieldsSchema<Command['fields']>>;

/** The input with its defaults; undefined if the schema would refuse it. `given` has no other fields. */
export function acceptFields(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name] ?? structuredCopy(field.default);
    if (value === undefined && !field.required) continue;
    const values = field.list ? value : [value];
    if (!Array.isArray(values) || (field.required && values.length === 0)) return undefined;
    // Only the schema of another room knows what it accepts.
    if (field.schema !== undefined || !values.every((one) => fits(field, one))) return undefined;
    input[name] = value;
  }
  return input;
}

const structuredCopy = (value: Field['default']) => (Array.isArray(value) ? [...value] : value);

function fits({ type, values, positive, min, max, pattern, check }: Field, value: unknown): boolean {
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'string' ? typeof value !== 'string' : !Number.isFinite(value)) return false;
  if (type === 'integer' && !Number.isSafeInteger(value)) return false;
  const size = typeof value === 'string' ? value.length : (value as number);
  if ((positive && size <= 0) || (min !== undefined && size < min) || (max !== undefined && size > max))
    return false;
  return (
    typeof value !== 'string' ||
    (values?.includes(value) !== false &&
      pattern?.expression.test(value) !== false &&
      check?.accepts(value) !== false)
  );
}

/** The skill a command names. */
export const skill = text('A skill by name or path', { required: true });

/** `--fresh`, the same on every command that needs the index. */
export const fresh = flag('Rebuild a missing or outdated index instead of failing');

/** `--author`, the same on every command that returns content: the caller wrote the skill. */
export const author = own(flag('Skip the quiz, because you wrote the skill'));

/** `--budget` and `--all`, the same on every command whose answer grows with the skill. */
export const budgetFields = {
  budget: integer('Stop at about this many tokens', { positive: true }),
  all: flag('Print everything, without a budget'),
};

/** The scope of a command about installed skills. */
export const scopeField = (about: string) => choice(['project', 'user'], about);

/** The fields that widen a search for skills. */
export const catalogFields = {
  agents: texts("Also search the directories of these agents, or 'all'"),
  node_modules: flag('Also search node_modules'),
};

/** The registry a command asks. */
export const registryAddress = text('Address of the registry; by default `registry.url`', { min: 1 });

/** The fields of commands that change something at a registry. */
export const registryFields = {
  registry: text('Address of the registry; by default the one you configured for the owner', { min: 1 }),
  dry_run: flag('Show what would change, and send nothing'),
};

/** Flags to accept findings, for every command that installs content. */
export const consentFields = {
  accept: texts('Accept these scan findings, by id or rule, such as SCN201,SCN305; needs --reason'),
  reason: text('Why you accept them; saved in the lock', { max: 1000 }),
  trust_lock: flag("Accept the findings that the project's lock accepts"),
};
