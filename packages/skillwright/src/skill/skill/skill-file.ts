// Whether a directory is a skill. This is the one place that says so.

import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isMissing, readError, systemErrorCode } from '../../base/files/index.ts';

/** The file that makes a directory a skill, spelled exactly so. */
export const SKILL_FILE = 'SKILL.md';

/** True when the directory holds a regular file named exactly SKILL.md, or a link that stands for one. E015 when it cannot be looked at. */
export function hasSkillFile(dir: string): boolean {
  const path = join(dir, SKILL_FILE);
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) return false;
    return status.isFile() || (status.isSymbolicLink() && statSync(path).isFile());
  } catch (error) {
    // A name that no file system takes is not there either.
    if (isMissing(error) || systemErrorCode(error) === 'ENAMETOOLONG') return false;
    throw readError(path, error);
  }
}

/** The same where an answer is enough: false for what cannot be looked at. Never throws. */
export function isSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    return false;
  }
}

/** True also for what cannot be looked at, so that nothing of it is taken for gone. Never throws. */
export function mayBeSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    return true;
  }
}

/** True for a file name that would be SKILL.md in other case. */
export function isMisspelled(name: string): boolean {
  return name.length === SKILL_FILE.length && name !== SKILL_FILE && name.toLowerCase() === 'skill.md';
}

/** E010 for a directory that is not a skill, with the name of a file that was meant to make it one. */
export function notASkill(dir: string): SkillwrightError {
  let meant: string | undefined;
  try {
    meant = readdirSync(dir).find(isMisspelled);
  } catch {
    // It cannot be listed: then there is nothing to add.
  }
  const help = meant === undefined ? {} : { help: misspelledHelp(meant) };
  return SkillwrightError.of('E010', { path: dir }, help);
}

/** What to do about a SKILL.md in other case. */
export function misspelledHelp(name: string): string {
  return `rename '${name}' to ${SKILL_FILE}`;
}
