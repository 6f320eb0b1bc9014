// Input that cannot be understood.

import { SkillwrightError } from './skillwright-error.ts';

/** E100 with its reason, and what to do instead where that is known. */
export function invalidOption(why: string, help?: string): SkillwrightError {
  return SkillwrightError.of('E100', { why }, { help });
}
