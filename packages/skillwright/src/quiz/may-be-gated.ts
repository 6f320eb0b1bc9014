// The cheapest look at a skill, before anything of this folder is loaded.

import { readInside } from '../files/contained-path.ts';
import { MAX_TEXT_BYTES } from '../files/read-text.ts';
import { mayHaveQuiz } from '../format/may-have-quiz.ts';
import { SKILL_FILE } from '../places/resolve-skill.ts';

/** False when the skill in `dir` certainly has no gate. E012, E015 when its SKILL.md cannot be read. */
export function mayBeGated(dir: string): boolean {
  const bytes = readInside(dir, SKILL_FILE, { maxBytes: MAX_TEXT_BYTES });
  return bytes !== undefined && mayHaveQuiz(bytes.toString('latin1'));
}
