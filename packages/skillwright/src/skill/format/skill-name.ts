// What the open standard allows as the name of a skill.

/** Longest allowed name, in characters. */
export const SKILL_NAME_LIMIT = 64;

/** Lower-case ASCII letters and digits in groups joined by single hyphens. */
export const SKILL_NAME_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a text can name a skill. Such a name is also safe as the name of a directory. */
export function isSkillName(name: string): boolean {
  return name.length <= SKILL_NAME_LIMIT && SKILL_NAME_PATTERN.test(name);
}
