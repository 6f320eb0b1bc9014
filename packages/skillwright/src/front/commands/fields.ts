// The input of a command that must start fast, as plain data: loading zod and building a schema takes longer than the
// command itself. `field-schema.ts` makes the schema, for front ends that need one.

import type * as z from 'zod';

/** One field. A list has at least one entry. */
export interface Field {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly about: string;
  readonly list?: true;
  readonly optional?: true;
  readonly default?: number | boolean;
  /** More than 0. */
  readonly positive?: true;
  /** The least number, or number of characters. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: { readonly expression: RegExp; readonly otherwise: string };
  readonly check?: { accepts(value: string): boolean; readonly otherwise: string };
}

/** The fields of an input by their wire names. */
export type Fields = Readonly<Record<string, Field>>;

interface Scalars {
  readonly string: z.ZodString;
  readonly integer: z.ZodNumber;
  readonly boolean: z.ZodBoolean;
}

type Listed<F extends Field> = F extends { list: true } ? z.ZodArray<Scalars[F['type']]> : Scalars[F['type']];

type FieldSchema<F extends Field> = F extends { optional: true }
  ? z.ZodOptional<Listed<F>>
  : F extends { default: number | boolean }
    ? z.ZodDefault<Listed<F>>
    : Listed<F>;

/** The schema of fields. */
export type FieldsSchema<F extends Fields> = z.ZodObject<
  { [Name in keyof F]: FieldSchema<F[Name]> },
  z.core.$strict
>;

/** The input with its defaults; undefined if the schema would refuse it. `given` has no other fields. */
export function acceptFields(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name] ?? field.default;
    if (value === undefined && field.optional) continue;
    const values = field.list ? value : [value];
    if (!Array.isArray(values) || values.length === 0 || !values.every((one) => fits(field, one)))
      return undefined;
    input[name] = value;
  }
  return input;
}

function fits({ type, positive, min, max, pattern, check }: Field, value: unknown): boolean {
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'integer' ? !Number.isSafeInteger(value) : typeof value !== 'string') return false;
  const size = typeof value === 'string' ? value.length : (value as number);
  if ((positive && size <= 0) || (min !== undefined && size < min) || (max !== undefined && size > max))
    return false;
  return (
    typeof value !== 'string' ||
    (pattern?.expression.test(value) !== false && check?.accepts(value) !== false)
  );
}

/** The skill a reading command names. */
export const skill = { type: 'string', about: 'A skill by name or path' } as const;

/** `--fresh`, the same on every command that needs the index. */
export const fresh = {
  type: 'boolean',
  default: false,
  about: 'Rebuild a missing or outdated index instead of failing',
} as const;

/** `--author`, the same on every command that returns content: the caller wrote the skill. */
export const author = {
  type: 'boolean',
  default: false,
  about: 'Skip the quiz, because you wrote the skill',
} as const;

/** `--budget` and `--all`, the same on every command whose answer grows with the skill. */
export const budgetFields = {
  budget: { type: 'integer', positive: true, optional: true, about: 'Stop at about this many tokens' },
  all: { type: 'boolean', default: false, about: 'Print everything, without a budget' },
} as const;
