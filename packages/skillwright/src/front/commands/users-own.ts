// Input that only the user may give. A front end that acts for a model neither offers it nor takes it.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { AnyCommand } from './define-command.ts';

/** E018 when what a model sends names a field that is the user's own, whatever its value. */
export function refuseUsersOwn({ usersOwn = {} }: Pick<AnyCommand, 'usersOwn'>, sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return;
  const field = Object.keys(usersOwn).find((name) => Object.hasOwn(sent, name));
  if (field !== undefined) throw refusedInput(field);
}

/** E018 when a checked input sets a field that is the user's own to anything but the value that it has for a model. */
export function requireUsersOwn(
  { usersOwn = {} }: Pick<AnyCommand, 'usersOwn'>,
  input: Readonly<Record<string, unknown>>,
): void {
  // Asked for here, because loading it costs every start more than a millisecond, and only models are checked.
  const { isDeepStrictEqual } = process.getBuiltinModule('node:util');
  const field = Object.entries(usersOwn).find(([name, value]) => !isDeepStrictEqual(input[name], value))?.[0];
  if (field !== undefined) throw refusedInput(field);
}

/** E018 for a field that a model has set. */
export function refusedInput(
  input: string,
  help = 'leave it out; the user can run the command in a terminal, or set it in their configuration',
): SkillwrightError {
  const why = 'a model cannot set it';
  return SkillwrightError.of('E018', { input, why }, { help, data: { input } });
}
