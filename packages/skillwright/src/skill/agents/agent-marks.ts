// Traces that agents leave: the directories that show one is used here.

import { dirname } from 'node:path';
import { type Agent, SHARED_SKILLS } from './agents.ts';

/** Directories in a project or in the home directory. None for an agent that leaves no directory of its own. */
export function marksOf({ marks, project, user }: Agent): readonly string[] {
  if (marks !== undefined) return marks;
  return (
    [...new Set([project, ...(user === undefined ? [] : [user])])]
      .filter((directory) => directory !== SHARED_SKILLS)
      .map((directory) => dirname(directory))
      // A directory without a dot may be anybody's.
      .filter((directory) => directory.startsWith('.') && directory !== '.')
  );
}
