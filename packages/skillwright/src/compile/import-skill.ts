// Copying a skill into a store, complete or not at all.

import { cpSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { isInside } from '../files/contained-path.ts';
import { writeError } from '../files/system-error.ts';
import { temporaryBeside } from '../files/write-atomic.ts';
import { isSkillName } from '../format/skill-name.ts';
import { canonicalPath } from '../places/locate-runtime.ts';
import { checkPaths, readSource } from './read-source.ts';

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
  const source = readSource(canonicalPath(dir));
  if (!isSkillName(source.name)) {
    throw SkillwrightError.of('E100', { why: `${source.name} cannot be the name of a skill in a store` });
  }
  const place = join(store, source.name);
  const existing = lstatSync(place, { throwIfNoEntry: false });
  if (existing !== undefined && canonicalPath(place) === source.dir) return { dir: place, backup: null };
  if (existing !== undefined && !options.force) {
    throw SkillwrightError.of(
      'E013',
      { path: place },
      { help: 'use --force to replace it; the old one is kept' },
    );
  }
  const entries = checkPaths(source.dir);
  const staged = temporaryBeside(place);
  try {
    mkdirSync(staged, { recursive: true });
    if (isInside(source.dir, canonicalPath(staged))) {
      throw SkillwrightError.of('E100', {
        why: 'the store lies inside the skill that would be copied into it',
      });
    }
    for (const { path, kind } of entries) {
      if (kind === 'directory') mkdirSync(join(staged, path), { recursive: true });
      else if (kind === 'file') cpSync(join(source.dir, path), join(staged, path), { dereference: true });
    }
    // Hidden, so that it is no skill of the store.
    const time = options.now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
    const backup = existing === undefined ? null : join(store, `.${source.name}.bak-${time}`);
    if (backup !== null) renameSync(place, backup);
    renameSync(staged, place);
    return { dir: place, backup };
  } catch (error) {
    rmSync(staged, { recursive: true, force: true });
    throw writeError(place, error);
  }
}
