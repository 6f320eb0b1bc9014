// Opens a skill from the catalog in its current state; the file may be newer than the catalog.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { openSkill, type Skill } from '../../skill/skill/index.ts';

/** Opens the skill of a record. E001 when it is gone; E012, E014, E015 when it cannot be used. */
export function openListed(record: SkillRecord): Skill {
  const skill = openIfThere(record);
  // A directory that became a link since it was listed is a different skill, even with the same name.
  if (skill === undefined || skill.dir !== record.dir) {
    const help = 'it was removed after it was listed';
    const data = { reason: 'vanished', path: record.path };
    throw SkillwrightError.of('E001', { skill: record.name }, { help, data });
  }
  if (skill.parts.data === undefined || skill.problem?.code === 'E015') throw skill.problem;
  return skill;
}

function openIfThere({ dir }: SkillRecord): Skill | undefined {
  try {
    return openSkill(dir);
  } catch (error) {
    if (error instanceof SkillwrightError && (error.code === 'E010' || error.cause !== undefined))
      return undefined;
    throw error;
  }
}
