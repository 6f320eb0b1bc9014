// A failure of one skill that does not stop the rest.

import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';

/** A skill that could not be installed, restored or updated, and why. */
export interface FailedSkill {
  readonly name: string;
  readonly error: Diagnostic;
}

/** The failure of a skill. Anything but a coded error is a bug and is rethrown. */
export function failureOf(name: string, error: unknown): FailedSkill {
  if (!(error instanceof SkillwrightError)) throw error;
  return { name, error: diagnosticOf(error) };
}
