// The error for edits that a command would lose.

import { SkillwrightError } from '../../../base/diagnostics/index.ts';

/** E212 with the files that were edited. */
export function editedError(skill: string, files: readonly string[], help: string): SkillwrightError {
  const detail = files.map((path) => `  ${path}`).join('\n');
  return SkillwrightError.of(
    'E212',
    { skill },
    { help, ...(detail === '' ? {} : { detail }), data: { files } },
  );
}
