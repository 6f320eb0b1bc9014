// Invalid input.

import { SkillwrightError } from './skillwright-error.ts';

/** E100 with its reason, and the fix where it is known. */
export function invalidOption(why: string, help?: string): SkillwrightError {
  return SkillwrightError.of('E100', { why }, { help });
}
