// Finds the copies of a skill that the `skills` command line put into a project: a canonical one, and links or copies
// for agents.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import { isInside, realPath } from '../../../base/files/index.ts';
import { agents } from '../../../skill/agents/index.ts';
import { isSkill, readBuildManifest } from '../../../skill/skill/index.ts';
import { skillsCliHash } from './skills-cli-lock.ts';

/** The copies of one skill. */
interface CliCopies {
  /** Agents that find it, one for each directory. */
  readonly agents: readonly string[];
  /** Real directories inside the project. */
  readonly dirs: readonly string[];
}

/** Searches the agents' directories; skips skc's own deployments and anything outside the project. */
export function findCliCopies(name: string, root: string): CliCopies {
  const found = new Set<string>();
  const ids: string[] = [];
  for (const directory of new Set(agents.map(({ project }) => project))) {
    const dir = join(root, directory, name);
    if (!isSkill(dir) || readBuildManifest(dir) !== undefined) continue;
    const real = realpathSync.native(dir);
    if (!isInside(realPath(root), real)) continue;
    found.add(real);
    const readers = agents.filter(({ project }) => project === directory);
    ids.push((readers.find(({ id }) => id === 'universal') ?? readers[0]!).id);
  }
  return { agents: ids, dirs: [...found] };
}

/** Status of the copies against the hash in the lock. */
export function stateOfCopies(
  { dirs }: Pick<CliCopies, 'dirs'>,
  computedHash: string,
): 'ok' | 'modified' | 'missing' | 'unreadable' {
  if (dirs.length === 0) return 'missing';
  const hashes = dirs.map((dir) => attempt(() => skillsCliHash(dir)));
  if (hashes.includes(undefined)) return 'unreadable';
  return hashes.every((hash) => hash === computedHash) ? 'ok' : 'modified';
}
