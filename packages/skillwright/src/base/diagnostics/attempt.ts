// Failures that are answers.

import { SkillwrightError } from './skillwright-error.ts';

/** What `work` returns; undefined when it fails with a coded error. Any other error is a bug, and passes through. */
export function attempt<Value>(work: () => Value): Value | undefined {
  return catchCoded(work, () => undefined);
}

/** What `work` returns, or what `handle` makes of a coded error. Any other error is a bug, and passes through. */
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

/** What `work` returns; undefined when it throws anything. For questions where every failure means the same. */
export function orUndefined<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
