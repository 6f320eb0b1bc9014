// Directories that show an agent is in use.

import { dirname } from 'node:path';
import { type Agent, SHARED_SKILLS } from './agents.ts';

/** Directories in a project or in the home directory. Empty for an agent without its own directory. */
export function marksOf({ marks, project, user }: Agent): readonly string[] {
  if (marks !== undefined) return marks;
  return (
    [...new Set([project, ...(user === undefined ? [] : [user])])]
      .filter((directory) => directory !== SHARED_SKILLS)
      .map((directory) => dirname(directory))
      // Another program may have made a directory without a leading dot.
      .filter((directory) => directory.startsWith('.') && directory !== '.')
  );
}
