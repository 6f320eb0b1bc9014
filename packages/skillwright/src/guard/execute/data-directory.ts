// Directories that a skill may change, kept outside the skill: its own files stay as the user reviewed them, and written
// files belong to the version that wrote them.

import { cpSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isDirectory, sha256, temporaryBeside, writeError } from '../../base/files/index.ts';
import { storeAt } from '../../skill/workspace/index.ts';

/** One version of one skill. */
interface SkillVersion {
  /** Canonical. */
  readonly dir: string;
  /** Safe as a directory name. */
  readonly name: string;
  readonly digest: string;
}

/** Path of the kept files for a directory that this version of a skill may change. */
export function dataDirectory(home: string, { dir, name, digest }: SkillVersion, path: string): string {
  const version = `${name}-${sha256(`${dir}\0${digest}`).slice(0, 16)}`;
  return join(storeAt('user', home).root, 'data', version, path.replaceAll('/', '%'));
}

/**
 * Creates it on first use, with the files the skill ships there. In the private copy at `root` the directory is created too, or
 * becomes a link to the kept one. E012 when a part of its path is a link, E016 when it cannot be created.
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

/** Creates the directory atomically; another process may have been faster. */
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
