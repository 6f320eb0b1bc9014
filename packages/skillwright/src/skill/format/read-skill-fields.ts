// Reads the frontmatter of a skill on disk, when only a few fields are needed.

import { readFrontmatter } from './frontmatter.ts';
import { readSkillText } from './read-skill-text.ts';

/** The frontmatter of the skill in `dir`; empty when it cannot be parsed. E010, E012, E015 as `readSkillText`. */
export function readSkillFields(dir: string): Record<string, unknown> {
  const content = readSkillText(dir);
  return (content.problem === undefined ? readFrontmatter(content.text).data : undefined) ?? {};
}
