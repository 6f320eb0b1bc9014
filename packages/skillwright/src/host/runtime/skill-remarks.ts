// Diagnostics about a skill that loads despite its problems.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { repairsOf, type Skill } from '../../skill/skill/index.ts';

/** W016 for repaired frontmatter, W017 and W019 for hooks and toolsets that will be missing. */
export async function remarksOn(skill: Skill): Promise<Diagnostic[]> {
  const repairs = repairsOf(skill);
  const { hooks, toolsets } = skill.frontmatter;
  if (hooks === undefined && toolsets === undefined) return repairs;
  const { leftOutOf } = await import('../../skill/skill/left-out.ts');
  return [...repairs, ...leftOutOf(skill)];
}
