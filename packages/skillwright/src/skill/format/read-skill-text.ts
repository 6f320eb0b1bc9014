// Reads SKILL.md as text and reports faults found before parsing.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES, readInside } from '../../base/files/index.ts';

/** Text of a SKILL.md; `problem` is set when the file is not text. */
type SkillText = { readonly text: string; readonly problem?: undefined } | { readonly problem: string };

/** Reads the SKILL.md of the skill in `dir`. E010 when there is none, E012 when a link leads out, E015 when unreadable. */
export function readSkillText(dir: string): SkillText {
  const bytes = readInside(dir, 'SKILL.md', { maxBytes: MAX_TEXT_BYTES });
  if (bytes === undefined) throw SkillwrightError.of('E010', { path: dir });
  const { text, valid } = decodeText(bytes);
  if (text.includes('\0')) return { problem: 'SKILL.md is not text: it contains NUL bytes' };
  if (!valid) return { problem: 'SKILL.md is not valid UTF-8' };
  return { text };
}
