// The flags of a command, derived from its input. Short flags and aliases are the same in every command.

import type { Fields } from './fields.ts';

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

/** Reads the fields of a command. */
export function optionsOf({
  fields,
  positionals,
}: {
  readonly fields: Fields;
  readonly positionals: readonly string[];
}): CliOptions {
  const options = Object.entries(fields).map(
    ([field, { type, values, list = false, required = false, default: fallback, about }]): CliOption => ({
      field,
      flag: field.replaceAll('_', '-'),
      short: Object.hasOwn(shortFlags, field) ? shortFlags[field] : undefined,
      kind: type === 'integer' ? 'number' : type,
      values,
      multiple: list,
      required,
      default: fallback,
      description: about,
    }),
  );
  return {
    positionals: positionals.map((name) => options.find(({ field }) => field === name)!),
    flags: options.filter(({ field }) => !positionals.includes(field)),
  };
}

/** The flag with a name or an alias; undefined when there is none. */
export function optionNamed(flags: readonly CliOption[], name: string): CliOption | undefined {
  return (
    flags.find(({ flag }) => flag === name) ?? flags.find(({ flag }) => otherNamesOf(flag).includes(name))
  );
}
