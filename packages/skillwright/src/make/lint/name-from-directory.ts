// The one correction of a wrong name.

import { isSkillName } from '../../skill/format/index.ts';
import { setTextField } from './edit-frontmatter.ts';
import type { LintSkill } from './lint-skill.ts';
import type { Fix } from './report-issues.ts';

/** Corrects the name to the directory's; undefined where that is no name for a skill. */
export function nameFromDirectory({ directoryName }: LintSkill): Fix | undefined {
  return isSkillName(directoryName)
    ? (text) => setTextField(text, { field: 'name', value: directoryName })
    : undefined;
}
