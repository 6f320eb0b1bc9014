// Decides whether a directory is a skill, and what it is called. The one rule for the name of a skill.

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { statusAt, targetAt } from '../../base/files/index.ts';
import { canNameDirectory, isReservedName, isSkillName } from '../format/index.ts';
import type { Skill } from './open-skill.ts';

/** The file that makes a directory a skill, in exactly this spelling. */
export const SKILL_FILE = 'SKILL.md';

/** True when the directory holds a regular file named exactly SKILL.md, or a valid link to one. E015 when it cannot be checked. */
export function hasSkillFile(dir: string): boolean {
  const path = join(dir, SKILL_FILE);
  const status = statusAt(path);
  return status?.isSymbolicLink() === true ? targetAt(path)?.isFile() === true : status?.isFile() === true;
}

/** Same without errors: false for a directory that cannot be checked. Never throws. */
export function isSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    return false;
  }
}

/** True also for a directory that cannot be checked, so that it does not count as gone. Never throws. */
export function mayBeSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    return true;
  }
}

/** True for a file name that is SKILL.md in the wrong case. */
export function isMisspelled(name: string): boolean {
  return name.length === SKILL_FILE.length && name !== SKILL_FILE && name.toLowerCase() === 'skill.md';
}

/** E010 for a directory that is not a skill, naming a misspelt SKILL.md if there is one. */
export function notASkill(dir: string): SkillwrightError {
  let meant: string | undefined;
  try {
    meant = readdirSync(dir).find(isMisspelled);
  } catch {
    // The directory cannot be listed, so there is no more to say.
  }
  const help = meant === undefined ? {} : { help: misspelledHelp(meant) };
  return SkillwrightError.of('E010', { path: dir }, help);
}

/** Advice for a SKILL.md in the wrong case. */
export function misspelledHelp(name: string): string {
  return `rename '${name}' to ${SKILL_FILE}`;
}

type SkillFields = Skill['frontmatter'];

/** The name in the frontmatter, trimmed; undefined when absent. */
export function writtenName(data: SkillFields): string | undefined {
  const name = typeof data.name === 'string' ? data.name.trim() : '';
  return name === '' ? undefined : name;
}

/**
 * The name of the skill in `dir`: the written one when it is a standard name, or when it can name a directory and the
 * directory has no better one; else the directory's own.
 */
export function nameSkill(data: SkillFields, dir: string): string {
  const written = writtenName(data);
  const own = basename(dir);
  if (written === undefined || !canNameDirectory(written)) return own;
  return isSkillName(written) || !isSkillName(own) || isReservedName(own) ? written : own;
}

/** Every name of a skill, the main one first: rules and switches may use any of them. */
export function namesOfSkill({
  name,
  dir,
  frontmatter,
}: Pick<Skill, 'name' | 'dir' | 'frontmatter'>): string[] {
  const written = typeof frontmatter.name === 'string' ? [frontmatter.name.trim(), frontmatter.name] : [];
  return [...new Set([name, basename(dir), ...written].filter((one) => one !== ''))];
}
