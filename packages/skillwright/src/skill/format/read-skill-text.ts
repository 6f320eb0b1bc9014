// Reads a SKILL.md as text, or its fields, and reports faults found before parsing.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES, readInside } from '../../base/files/index.ts';
import { readFrontmatter } from './frontmatter.ts';

/** Text of a SKILL.md; `problem` is set when the file is not text. */
type SkillText = { readonly text: string; readonly problem?: undefined } | { readonly problem: string };

/** Reads the SKILL.md of the skill in `dir`. E010 when there is none, E012 when a link leads out, E015 when unreadable. */
export function readSkillText(dir: string): SkillText {
  const bytes = readInside(dir, 'SKILL.md', { maxBytes: MAX_TEXT_BYTES });
  if (bytes === undefined) throw SkillwrightError.of('E010', { path: dir });
  const { text, valid } = decodeText(bytes);
  return valid && !text.includes('\0') ? { text } : { problem: explainNoText(text) };
}

/** Why a SKILL.md is not text. */
export const explainNoText = (text: string): string =>
  text.includes('\0') ? 'SKILL.md is not text: it contains NUL bytes' : 'SKILL.md is not valid UTF-8';

/** The frontmatter of the skill in `dir`; empty when it cannot be parsed. E010, E012, E015 as `readSkillText`. */
export function readSkillFields(dir: string): Record<string, unknown> {
  const content = readSkillText(dir);
  return (content.problem === undefined ? readFrontmatter(content.text).data : undefined) ?? {};
}
