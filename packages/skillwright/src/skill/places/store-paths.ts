// The places that skc keeps for a project or for the user.

import { join } from 'node:path';
import { OWN_DIRECTORY } from './find-project.ts';

/** Whose places are meant. */
export type StoreScope = 'project' | 'user';

/** The absolute paths of one store. */
export interface StorePaths {
  readonly root: string;
  readonly skills: string;
  readonly runtime: string;
  readonly config: string;
  readonly lock: string;
  readonly state: string;
}

/** The places below a project directory or the home directory. */
export function storePaths(base: string): StorePaths {
  const root = join(base, OWN_DIRECTORY);
  return {
    root,
    skills: join(root, 'skills'),
    runtime: join(root, 'runtime'),
    config: join(root, 'config.toml'),
    lock: join(root, 'lock.json'),
    state: join(root, 'state.json'),
  };
}
