// Rules about the fields of an input beyond their types: fields only the user may set, and flags that go together.

import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { AnyCommand } from './define-command.ts';

/** E018 when a model sends one of the user's fields, with any value. */
export function refuseUsersOwn({ usersOwn = {} }: Pick<AnyCommand, 'usersOwn'>, sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return;
  const field = Object.keys(usersOwn).find((name) => Object.hasOwn(sent, name));
  if (field !== undefined) throw refusedInput(field);
}

/** E018 when a checked input sets one of the user's fields to a value other than the one for models. */
export function requireUsersOwn(
  { usersOwn = {} }: Pick<AnyCommand, 'usersOwn'>,
  input: Readonly<Record<string, unknown>>,
): void {
  // Loaded here, because it costs a start more than a millisecond and only models are checked.
  const { isDeepStrictEqual } = process.getBuiltinModule('node:util');
  const field = Object.entries(usersOwn).find(([name, value]) => !isDeepStrictEqual(input[name], value))?.[0];
  if (field !== undefined) throw refusedInput(field);
}

/** E100 for a flag without the one it belongs to, and for two that exclude each other. */
export function requireTogether(
  { input: schema, belongsTo = {}, excludes = [] }: AnyCommand,
  input: Readonly<Record<string, unknown>>,
): void {
  const isGiven = (field: string): boolean => {
    const value = input[field];
    // Compared as text: a default may be an empty list.
    return value !== undefined && String(value) !== String(schema.shape[field].safeParse(undefined).data);
  };
  const spell = (field: string) => `--${field.replaceAll('_', '-')}`;
  for (const [field, owners] of Object.entries(belongsTo) as [string, string[]][])
    if (isGiven(field) && !owners.some(isGiven))
      throw invalidOption(`${spell(field)} belongs to ${owners.map(spell).join(' or ')}`);
  for (const [one, other] of excludes)
    if (isGiven(one) && isGiven(other))
      throw invalidOption(`${spell(one)} and ${spell(other)} exclude each other`);
}

/** E018 for a field that a model has set. */
export function refusedInput(
  input: string,
  help = 'leave it out; the user can run the command in a terminal, or set it in their configuration',
): SkillwrightError {
  const why = 'a model cannot set it';
  return SkillwrightError.of('E018', { input, why }, { help, data: { input } });
}
