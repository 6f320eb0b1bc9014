// Skills on disk.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isIgnoredName } from 'skillwright/base';

/** Directories with a SKILL.md, in order. Skills inside a skill belong to it. */
export async function findSkillDirectories(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  if (entries.some((entry) => entry.name === 'SKILL.md')) return [directory];
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    if (entry.isDirectory() && !isIgnoredName(entry.name))
      found.push(...(await findSkillDirectories(join(directory, entry.name))));
  return found;
}
