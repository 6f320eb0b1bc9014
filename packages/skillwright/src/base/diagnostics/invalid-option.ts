// Invalid input.

import { SkillwrightError } from './skillwright-error.ts';

/** E100 for a flag that does not exist. */
export function unknownOption(spelled: string, help?: string): SkillwrightError {
  return invalidOption(`invalid option: '${spelled}'`, help);
}

/** E100 with a sentence that says what is wrong, and what to do instead where that is known. */
export function invalidOption(why: string, help?: string): SkillwrightError {
  return SkillwrightError.of('E100', { why }, { help });
}
