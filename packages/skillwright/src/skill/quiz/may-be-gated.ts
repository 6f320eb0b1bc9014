// A cheap test before the rest of this folder is loaded.

import { MAX_TEXT_BYTES, readInside } from '../../base/files/index.ts';
import { mayHaveQuiz } from '../format/index.ts';
import { SKILL_FILE } from '../skill/index.ts';

/** False when the skill in `dir` certainly has no gate. E012, E015 when its SKILL.md cannot be read. */
export function mayBeGated(dir: string): boolean {
  const bytes = readInside(dir, SKILL_FILE, { maxBytes: MAX_TEXT_BYTES });
  return bytes !== undefined && mayHaveQuiz(bytes.toString('latin1'));
}
