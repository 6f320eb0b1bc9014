// Coded errors as values.

import { SkillwrightError } from './skillwright-error.ts';

/** Returns the result of `work`, or undefined after a coded error. Any other error is a bug and passes through. */
export function attempt<Value>(work: () => Value): Value | undefined {
  return catchCoded(work, () => undefined);
}

/** Returns the result of `work`, or of `handle` after a coded error. Any other error is a bug and passes through. */
export function catchCoded<Value, Handled>(
  work: () => Value,
  handle: (error: SkillwrightError) => Handled,
): Value | Handled {
  try {
    return work();
  } catch (error) {
    if (error instanceof SkillwrightError) return handle(error);
    throw error;
  }
}

/** Returns the result of `work`, or undefined if it throws anything. Use it where every failure means the same. */
export function orUndefined<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
