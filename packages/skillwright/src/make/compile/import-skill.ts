// Copying a skill into a store, complete or not at all.

import { existsSync, lstatSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  canonicalPath,
  discardTemporary,
  isInside,
  readInside,
  type TreeEntry,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import { isSkillName } from '../../skill/format/index.ts';
import { backupName } from './backup-name.ts';
import { checkPaths, openForBuild } from './open-for-build.ts';
import { removeLeftovers } from './remove-leftovers.ts';

/** An imported skill; `backup` is where the one it replaced is kept. */
export interface ImportedSkill {
  readonly dir: string;
  readonly backup: string | null;
}

/**
 * Copies the skill in `dir` into `store`, under the name its frontmatter gives. A skill that already lies there is left
 * alone. E013 when another one does and `force` is not given; with it the old one is kept beside the store's skills.
 */
export function importSkill(
  dir: string,
  store: string,
  options: { force: boolean; now: Date },
): ImportedSkill {
  const source = openForBuild(canonicalPath(dir));
  if (!isSkillName(source.name)) {
    const help = 'names in a store are lower-case letters, digits and single hyphens';
    throw SkillwrightError.of(
      'E100',
      { why: `${source.name} cannot be the name of a skill in a store` },
      { help },
    );
  }
  const place = join(store, source.name);
  const existing = lstatSync(place, { throwIfNoEntry: false });
  if (existsSync(place) && canonicalPath(place) === source.dir) return { dir: place, backup: null };
  if (existing !== undefined && !options.force) {
    const help = 'use --force to replace it; the old one is kept';
    throw SkillwrightError.of('E013', { path: place }, { help });
  }
  if (isInside(source.dir, canonicalAhead(place))) {
    throw SkillwrightError.of('E100', {
      why: 'the store lies inside the skill that would be copied into it',
    });
  }
  const entries = checkPaths(source.dir);
  removeLeftovers(store, { names: [source.name], now: options.now });
  const staged = temporaryBeside(place);
  try {
    mkdirSync(staged, { recursive: true });
    copyEntries(source.dir, staged, entries);
    // Hidden, so that it is no skill of the store.
    const backup = existing === undefined ? null : backupName(join(store, `.${source.name}`), options.now);
    if (backup !== null) renameSync(place, backup);
    try {
      renameSync(staged, place);
    } catch (error) {
      if (backup !== null) renameSync(backup, place);
      throw error;
    }
    return { dir: place, backup };
  } catch (error) {
    throw writeError(place, error);
  } finally {
    discardTemporary(staged);
  }
}

/** Links become what they lead to; each file is opened so that a link swapped in meanwhile cannot lead out. */
function copyEntries(from: string, to: string, entries: readonly TreeEntry[]): void {
  for (const { path, kind } of entries) {
    if (kind === 'directory') mkdirSync(join(to, path), { recursive: true });
    if (kind !== 'file') continue;
    const bytes = readInside(from, path, { maxBytes: Number.MAX_SAFE_INTEGER });
    if (bytes !== undefined)
      writeFileSync(join(to, path), bytes, { mode: statSync(join(from, path)).mode & 0o777 });
  }
}

/** The canonical path of something that need not exist yet. */
function canonicalAhead(path: string): string {
  if (existsSync(path)) return canonicalPath(path);
  return join(canonicalAhead(dirname(path)), basename(path));
}
