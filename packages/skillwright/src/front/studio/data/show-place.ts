// Paths and addresses as the studio shows them: short, and without the name of the user.

import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { showPath } from '../../commands/index.ts';

/** A path as the user writes it; the home directory is `~`. */
export function showPlace(path: string, { cwd, home }: Pick<Workspace, 'cwd' | 'home'>): string {
  if (path === home) return '~';
  if (path === cwd) return showPath(path, { cwd: '/', home }).replace(/^(?![~/])/, '/');
  return showPath(path, { cwd, home });
}

/** A message that names the home directory as the user does. */
export const withoutHome = (text: string, home: string): string => text.replaceAll(`${home}/`, '~/');

/** The page of a skill, or of one of its files. */
export function skillPath(id: string, file: string = SKILL_FILE): string {
  return `/skills/${encodeURIComponent(id)}${file === SKILL_FILE ? '' : `?file=${encodeURIComponent(file)}`}`;
}
