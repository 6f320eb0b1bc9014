// Short flags and aliases for the whole program: one letter per field, the same in every command.

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

/** The one letter for a field; undefined when it has none. */
export function shortFlagOf(field: string): string | undefined {
  return Object.hasOwn(shortFlags, field) ? shortFlags[field] : undefined;
}

/** The names under which a flag is accepted, besides its own. */
export function otherNamesOf(flag: string): readonly string[] {
  return Object.hasOwn(otherNames, flag) ? otherNames[flag]! : [];
}

/** Every letter with its flag, in order. */
export const shortFlagTable: readonly (readonly [letter: string, flag: string])[] = Object.entries(shortFlags)
  .map(([field, letter]) => [letter, field.replaceAll('_', '-')] as const)
  .toSorted(([a], [b]) => (a < b ? -1 : 1));
