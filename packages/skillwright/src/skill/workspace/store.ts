// Paths that skc keeps for a project or for the user.

import { join } from 'node:path';
import { OWN_DIRECTORY } from './project.ts';

/** Owner of the paths. */
export type StoreScope = 'project' | 'user';

/** One store: absolute paths below `.skillc` of a project or of the user. */
export interface Store {
  readonly scope: StoreScope;
  /** The project or the home directory. */
  readonly base: string;
  readonly root: string;
  readonly skills: string;
  readonly runtime: string;
  readonly config: string;
  readonly lock: string;
  readonly state: string;
  readonly cache: string;
  /** Backups; never searched for skills. */
  readonly backups: string;
  /** Record of everything skc made; only in the user's store. */
  readonly made: string;
}

/** The store below a project directory or the home directory. */
export function storeAt(scope: StoreScope, base: string): Store {
  const root = join(base, OWN_DIRECTORY);
  return {
    scope,
    base,
    root,
    skills: join(root, 'skills'),
    runtime: join(root, 'runtime'),
    config: join(root, 'config.toml'),
    lock: join(root, 'lock.json'),
    state: join(root, 'state.json'),
    cache: join(root, 'cache'),
    backups: join(root, 'backups'),
    made: join(root, 'made'),
  };
}
