// Checks skills that the `skills` command line installed against the hashes of its lock.

import { hideSecrets } from '../../base/diagnostics/index.ts';
import { entryOf, type Lock, readLock } from './lock/lock.ts';
import { findCliCopies, stateOfCopies } from './lock/skills-cli-copies.ts';
import { readSkillsCliLock } from './lock/skills-cli-lock.ts';
import type { InstallContext } from './place/install-place.ts';

/** Status of one of its skills. */
export interface CheckedCliSkill {
  readonly name: string;
  readonly source: string;
  readonly status: 'ok' | 'modified' | 'missing' | 'unreadable';
  /** Its directories; several if agents have separate copies. */
  readonly paths: readonly string[];
}

/**
 * Checks the skills of a project's `skills-lock.json`; empty without one. Skills that our own lock also names were taken
 * over and are checked there. E211 when it cannot be used.
 */
export function verifySkillsCli(
  { workspace }: Pick<InstallContext, 'workspace'>,
  own: Lock = workspace.project === undefined
    ? { skills: {} }
    : readLock(workspace.store('project').lock).lock,
): CheckedCliSkill[] {
  const root = workspace.project?.dir ?? workspace.cwd;
  const entries = Object.entries(readSkillsCliLock(root) ?? {});
  const skills = entries.filter(([name]) => entryOf(own, name) === undefined);
  return skills.map(([name, { source, computedHash }]) => {
    const copies = findCliCopies(name, root);
    const status = stateOfCopies(copies, computedHash);
    return { name, source: hideSecrets(source), status, paths: copies.dirs };
  });
}
