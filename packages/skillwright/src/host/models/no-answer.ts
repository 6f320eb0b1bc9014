// E266: a model that gave no usable answer.

import { SkillwrightError } from '../../base/diagnostics/index.ts';

/** The error. `isFinal` when every other question would fail the same way. */
export function noAnswer(
  name: string,
  why: string,
  { isFinal = false }: { readonly isFinal?: boolean } = {},
): SkillwrightError {
  return SkillwrightError.of('E266', { name, why }, { data: { model: name, why, final: isFinal } });
}
