// The directories where repositories keep skills.

import { agents } from '../../../skill/agents/index.ts';

/** Directories of a repository that hold skills, by precedence. */
export function listContainers(): string[] {
  const own = ['skills', 'skills/.curated', 'skills/.experimental', 'skills/.system'];
  const first = ['.claude/skills', '.agents/skills', '.github/skills'];
  const others = agents.flatMap(({ project, user }) => (user === undefined ? [project] : [project, user]));
  return [...new Set([...own, ...first, ...others])];
}
