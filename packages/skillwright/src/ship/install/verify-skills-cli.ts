// Skills that the `skills` command line installed, against the hashes of its lock.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, hideSecrets } from '../../base/diagnostics/index.ts';
import { agents } from '../../skill/agents/index.ts';
import { isSkill, readBuildManifest } from '../../skill/skill/index.ts';
import { readSkillsCliLock, skillsCliHash } from './lock/skills-cli-lock.ts';
import type { InstallContext } from './place/install-place.ts';

/** How one of its skills stands. */
export interface CheckedCliSkill {
  readonly name: string;
  readonly source: string;
  readonly status: 'ok' | 'modified' | 'missing' | 'unreadable';
  /** Where it was found; several where agents have copies of their own. */
  readonly paths: readonly string[];
}

/** Checks what the lock of a project names; nothing where there is no such lock. E211 when it cannot be used. */
export function verifySkillsCli({ workspace }: Pick<InstallContext, 'workspace'>): CheckedCliSkill[] {
  const root = workspace.project?.dir ?? workspace.cwd;
  const skills = readSkillsCliLock(root) ?? {};
  return Object.entries(skills).map(([name, { source, computedHash }]) => {
    const paths = copiesOf(name, root);
    const hashes = paths.map((path) => attempt(() => skillsCliHash(path)));
    const status =
      paths.length === 0
        ? 'missing'
        : hashes.includes(undefined)
          ? 'unreadable'
          : hashes.every((hash) => hash === computedHash)
            ? 'ok'
            : 'modified';
    return { name, source: hideSecrets(source), status, paths };
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
