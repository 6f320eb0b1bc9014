// The frontmatter of a skill on disk, for whoever needs a few of its fields.

import { readFrontmatter } from './frontmatter.ts';
import { readSkillText } from './read-skill-text.ts';

/** The frontmatter of the skill in `dir`; empty when it cannot be parsed. E010, E012, E015 as `readSkillText`. */
export function readSkillFields(dir: string): Record<string, unknown> {
  const content = readSkillText(dir);
  return (content.problem === undefined ? readFrontmatter(content.text).data : undefined) ?? {};
}
