import { SkillwrightError } from '../../base/diagnostics/index.ts';

/** The error for log data that does not follow its format. */
export function malformed(why: string): SkillwrightError {
  return SkillwrightError.of('E233', { why });
}
