// The flags of a command, derived from its input. Short flags and aliases are the same in every command.

import type * as z from 'zod';
import type { AnyDeclaration } from './define-command.ts';
import type { Field } from './fields.ts';

/** The letter of a field, in every command that has the field. `-h` and `-V` belong to help and version. */
const shortFlags: Readonly<Record<string, string>> = {
  all: 'a',
  domain: 'd',
  dry_run: 'n',
  file: 'f',
  global: 'g',
  group_by: 'b',
  limit: 'l',
  max_lines: 'm',
  profile: 'p',
  section: 's',
  target: 't',
  watch: 'w',
  yes: 'y',
};

/** Other names of a flag, which help does not list. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  target: ['agent', 'agents'],
  agents: ['agent', 'target'],
};

/** The names under which a flag is accepted, besides its own. */
export function otherNamesOf(flag: string): readonly string[] {
  return Object.hasOwn(otherNames, flag) ? otherNames[flag]! : [];
}

/** Every letter with its flag, in order. */
export function shortFlagTable(): (readonly [letter: string, flag: string])[] {
  return Object.entries(shortFlags)
    .map(([field, letter]) => [letter, field.replaceAll('_', '-')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

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

/** Reads the fields or the schema of a command. */
export function optionsOf(command: AnyDeclaration): CliOptions {
  const facts: Record<string, FieldFacts> =
    'fields' in command ? mapValues(command.fields, readField) : mapValues(command.input.shape, readSchema);
  const options = Object.entries(facts).map(([field, { description = '', ...rest }]) => ({
    field,
    flag: field.replaceAll('_', '-'),
    short: Object.hasOwn(shortFlags, field) ? shortFlags[field] : undefined,
    description,
    ...rest,
  }));
  return {
    positionals: command.positionals.map((name) => options.find(({ field }) => field === name)!),
    flags: options.filter(({ field }) => !command.positionals.includes(field)),
  };
}

/** The parts of a declaration that describe a field. */
type FieldFacts = Omit<CliOption, 'field' | 'flag' | 'short' | 'description'> & {
  readonly description?: string | undefined;
};

const mapValues = <From, To>(table: Readonly<Record<string, From>>, read: (value: From) => To) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, read(value)]));

function readField({ type, list, optional, default: fallback, about }: Field): FieldFacts {
  return {
    kind: type === 'integer' ? 'number' : type,
    values: undefined,
    multiple: list === true,
    required: optional !== true && fallback === undefined,
    default: fallback,
    description: about,
  };
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

function readSchema(schema: z.ZodType): FieldFacts {
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
    kind: type === 'boolean' || type === 'number' ? type : 'string',
    values: type === 'enum' ? (current as z.ZodEnum).options.map(String) : undefined,
    multiple,
    required,
    default: fallback,
    description,
  };
}
