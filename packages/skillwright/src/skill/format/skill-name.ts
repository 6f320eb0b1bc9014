// Skill names in the open standard, and directory names that can serve as skill names.

/** Longest allowed name, in characters. */
export const SKILL_NAME_LIMIT = 64;

/** Lower-case ASCII letters and digits in groups joined by single hyphens. */
export const SKILL_NAME_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a text is a valid skill name. Such a name is also safe as a directory name. */
export function isSkillName(name: string): boolean {
  return name.length <= SKILL_NAME_LIMIT && SKILL_NAME_PATTERN.test(name);
}

/** True for a text that can name a directory everywhere: one visible segment that is safe in file systems and shells. */
export function canNameDirectory(name: string): boolean {
  return (
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,127}$/u.test(name) && !/[. ]$/.test(name) && !isReservedName(name)
  );
}

/** True for a name that Windows takes for a device, in any case and with any ending: `con`, `NUL.txt`, `lpt1`, `COM¹`. */
export function isReservedName(name: string): boolean {
  return /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i.test(name);
}
