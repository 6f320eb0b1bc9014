// The one correction for a wrong name.

import { isSkillName } from '../../skill/format/index.ts';
import { setTextField } from './edit-frontmatter.ts';
import type { LintSkill } from './lint-skill.ts';
import type { Fix } from './report-issues.ts';

/** Changes the name to that of the directory; undefined if that is not a valid skill name. */
export function nameFromDirectory({ directoryName }: LintSkill): Fix | undefined {
  return isSkillName(directoryName)
    ? (text) => setTextField(text, { field: 'name', value: directoryName })
    : undefined;
}
