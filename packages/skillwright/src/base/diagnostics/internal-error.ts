// Unexpected errors.

import { SkillwrightError } from './skillwright-error.ts';

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** E999 for a bug, in the form of every other failure. */
export function internalError(error: unknown, help = 'please report this'): SkillwrightError {
  return SkillwrightError.of('E999', { why: messageOf(error) }, { help, cause: error });
}
