// Directories that a skill may change, kept outside the skill: what it ships there is what the user looked at, and what
// it writes belongs to the version that wrote it.

import { cpSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isDirectory, sha256, temporaryBeside, writeError } from '../../base/files/index.ts';
import { storeAt } from '../../skill/workspace/index.ts';

/** One version of one skill. */
export interface SkillVersion {
  /** Canonical. */
  readonly dir: string;
  /** One that can name a directory. */
  readonly name: string;
  readonly digest: string;
}

/** Where the files of a directory are kept that this version of a skill may change. */
export function dataDirectory(home: string, { dir, name, digest }: SkillVersion, path: string): string {
  const version = `${name}-${sha256(`${dir}\0${digest}`).slice(0, 16)}`;
  return join(storeAt('user', home).root, 'data', version, path.replaceAll('/', '%'));
}

/**
 * Makes it on first use, with what the skill ships there. In the private copy at `root` the directory is made too, or
 * becomes a link to the kept one. E012 when something on the way to it is a link, E016 when it cannot be made.
 */
export function openDataDirectory(
  kept: string,
  path: string,
  { root, asLink }: { readonly root: string; readonly asLink: boolean },
): void {
  const place = join(root, path);
  const segments = path.split('/');
  for (let depth = 1; depth <= segments.length; depth++) {
    const part = segments.slice(0, depth).join('/');
    const status = lstatSync(join(root, part), { throwIfNoEntry: false });
    if (status !== undefined && !status.isDirectory()) throw SkillwrightError.of('E012', { path: part });
  }
  try {
    mkdirSync(place, { recursive: true });
    if (!isDirectory(kept)) seed(kept, place);
    if (asLink) {
      rmSync(place, { recursive: true });
      symlinkSync(kept, place);
    }
  } catch (error) {
    throw writeError(kept, error);
  }
}

/** Whole or not at all; another process may have been faster. */
function seed(kept: string, shipped: string): void {
  mkdirSync(join(kept, '..'), { recursive: true, mode: 0o700 });
  const staged = temporaryBeside(kept);
  cpSync(shipped, staged, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(staged, kept);
  } catch (error) {
    rmSync(staged, { recursive: true, force: true });
    if (!isDirectory(kept)) throw error;
  }
}
