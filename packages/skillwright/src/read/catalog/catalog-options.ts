// What a catalog is made from.

import { join } from 'node:path';
import { storePaths } from '../../skill/places/index.ts';
import type { SkillScope } from './skill-record.ts';

/** A further directory that holds skills. */
export interface ExtraRoot {
  /** Absolute. */
  readonly path: string;
  readonly scope: SkillScope;
}

/** Where to look for skills, and how far. */
export interface CatalogOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute: `SKILLC_HOME`, else the home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the user trusts the project: only then are its skill roots searched. */
  readonly trusted: boolean;
  /** Names that mark the root of a project. */
  readonly markers?: readonly string[];
  readonly maxDepth?: number;
  /** How many directories of one root are looked into. */
  readonly maxDirectories?: number;
  /** Agents, by id, whose own directories are searched too. */
  readonly agents?: 'all' | readonly string[];
  readonly roots?: readonly ExtraRoot[];
  /** Directories of skills that come with the host. */
  readonly bundled?: readonly string[];
  /** Whether skills in `node_modules` count. */
  readonly nodeModules?: boolean;
  /** Directory for what is remembered between starts; false for none. Default: `.skillc/cache` of the home directory. */
  readonly cache?: string | false;
}

/** The directory of the cache that the options ask for. */
export function cacheDirectory({ cache, home }: CatalogOptions): string | undefined {
  if (cache === false) return undefined;
  return cache ?? join(storePaths(home).root, 'cache');
}
