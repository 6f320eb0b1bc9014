// Skills that the `skills` command line installed, against the hashes of its lock.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { agents } from '../../skill/agents/index.ts';
import { findProject, hasSkillFile, readBuildManifest } from '../../skill/places/index.ts';
import type { InstallContext } from './install-place.ts';
import { readSkillsCliLock, skillsCliHash } from './lock-of-skills-cli.ts';

/** How one of its skills stands. */
export interface CheckedCliSkill {
  readonly name: string;
  readonly source: string;
  readonly status: 'ok' | 'modified' | 'missing' | 'unreadable';
  /** Where it was found; several where agents have copies of their own. */
  readonly paths: readonly string[];
}

/** The directory in which `skills-lock.json` is looked for. */
function skillsCliRoot({ cwd, home }: Pick<InstallContext, 'cwd' | 'home'>): string {
  return findProject(cwd, home) ?? cwd;
}

/** Checks what the lock of a project names; nothing where there is no such lock. E211 when it cannot be used. */
export function verifySkillsCli(context: Pick<InstallContext, 'cwd' | 'home'>): CheckedCliSkill[] {
  const root = skillsCliRoot(context);
  const skills = readSkillsCliLock(root) ?? {};
  return Object.entries(skills).map(([name, { source, computedHash }]) => {
    const paths = copiesOf(name, root);
    const hashes = paths.map(hashOf);
    const status =
      paths.length === 0
        ? 'missing'
        : hashes.includes(undefined)
          ? 'unreadable'
          : hashes.every((hash) => hash === computedHash)
            ? 'ok'
            : 'modified';
    return { name, source, status, paths };
  });
}

/** Real directories of that name where agents look; what skc deployed is not theirs. */
function copiesOf(name: string, root: string): string[] {
  const directories = [...new Set(agents.map(({ project }) => project))];
  const found = new Set<string>();
  for (const directory of directories) {
    const dir = join(root, directory, name);
    if (isSkill(dir) && readBuildManifest(dir) === undefined) found.add(realpathSync.native(dir));
  }
  return [...found];
}

function isSkill(dir: string): boolean {
  try {
    return hasSkillFile(dir);
  } catch {
    return false;
  }
}

function hashOf(dir: string): string | undefined {
  try {
    return skillsCliHash(dir);
  } catch (error) {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}
