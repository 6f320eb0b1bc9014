// Addresses of pages about skills.

import { SKILL_FILE } from '../../../skill/skill/index.ts';

/** The page of a skill, or of one of its files. */
export function skillPath(id: string, file: string = SKILL_FILE): string {
  return `/skills/${id}${file === SKILL_FILE ? '' : `?file=${encodeURIComponent(file)}`}`;
}
