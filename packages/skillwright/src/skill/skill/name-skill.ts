// The one rule for the name of a skill.

import { basename } from 'node:path';
import { isReservedName } from '../../base/files/index.ts';
import { canNameDirectory, isMapping, isSkillName } from '../format/index.ts';
import type { Skill } from './open-skill.ts';

/** The name in the frontmatter, trimmed; undefined when absent. */
export function writtenName(data: unknown): string | undefined {
  const written = isMapping(data) ? data.name : undefined;
  const name = typeof written === 'string' ? written.trim() : '';
  return name === '' ? undefined : name;
}

/**
 * The name of the skill in `dir`: the written one when it is a standard name, or when it can name a directory and the
 * directory has no better one; else the directory's own.
 */
export function nameSkill(data: unknown, dir: string): string {
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
