// The flags of a command, derived from its input schema.

import type * as z from 'zod';
import type { AnyCommand } from './define-command.ts';
import { otherNamesOf, shortFlagOf } from './flag-names.ts';

/** One field of a command's input as the command line sees it. */
export interface CliOption {
  readonly field: string;
  /** `max-lines` for the field `max_lines`. */
  readonly flag: string;
  readonly kind: 'boolean' | 'string' | 'number';
  readonly values: readonly string[] | undefined;
  readonly multiple: boolean;
  readonly required: boolean;
  /** Undefined without a short flag. */
  readonly default: unknown;
  readonly description: string;
  readonly short: string | undefined;
}

/** A command's fields split into positionals, in order, and flags. */
interface CliOptions {
  readonly positionals: readonly CliOption[];
  readonly flags: readonly CliOption[];
}

/** Reads the schema of a command. */
export function optionsOf(command: AnyCommand): CliOptions {
  const shape = command.input.shape as Record<string, z.ZodType>;
  const all = new Map(Object.entries(shape).map(([field, schema]) => [field, optionOf(field, schema)]));
  const positionals = command.positionals.map((field: string) => all.get(field)!);
  const positional = new Set(command.positionals);
  return { positionals, flags: [...all.values()].filter((option) => !positional.has(option.field)) };
}

/** The flag with a name or an alias; undefined when there is none. */
export function optionNamed(flags: readonly CliOption[], name: string): CliOption | undefined {
  return (
    flags.find(({ flag }) => flag === name) ?? flags.find(({ flag }) => otherNamesOf(flag).includes(name))
  );
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly in?: z.ZodType;
  readonly defaultValue?: unknown;
}

const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition;

function optionOf(field: string, schema: z.ZodType): CliOption {
  let current = schema;
  let description = schema.description;
  let required = true;
  let fallback: unknown;
  let multiple = false;
  for (;;) {
    const definition = definitionOf(current);
    if (definition.type === 'default') fallback = definition.defaultValue;
    if (definition.type === 'default' || definition.type === 'optional') required = false;
    const inner = definition.type === 'array' ? definition.element : (definition.innerType ?? definition.in);
    if (definition.type === 'array') multiple = true;
    if (inner === undefined) break;
    current = inner;
    description ??= current.description;
  }
  const type = definitionOf(current).type;
  return {
    field,
    flag: field.replaceAll('_', '-'),
    kind: type === 'boolean' || type === 'number' ? type : 'string',
    values: type === 'enum' ? (current as z.ZodEnum).options.map(String) : undefined,
    multiple,
    required,
    default: fallback,
    description: description ?? '',
    short: shortFlagOf(field),
  };
}
