// Copies a skill into a store, completely or not at all.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  canonicalPath,
  changeTogether,
  discardTemporary,
  isInside,
  movePath,
  realPathAhead,
  refuseLinks,
  removeLeftovers,
  replacePath,
  restorePath,
  statusAt,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import { isSkillName } from '../../skill/format/index.ts';
import { digestSkill } from '../../skill/quiz/index.ts';
import { isSkill } from '../../skill/skill/index.ts';
import type { Store } from '../../skill/workspace/index.ts';
import { backupPlace } from './occupant.ts';
import { checkPaths, copyEntries, openForBuild } from './open-for-build.ts';

/** An imported skill; `backup` is the path of the one it replaced. */
export interface Imported {
  readonly dir: string;
  readonly backup: string | null;
  /** Puts the store back as it was. */
  undo(): void;
}

/** Options of an import. */
export interface ImportOptions {
  readonly home: string;
  readonly force: boolean;
  readonly now: Date;
  /** Called with the name and the new directory before anything is written; throws to refuse. */
  readonly check?: (name: string, dir: string) => void;
}

/**
 * Copies the skill in `dir` into `store`, under the name in its frontmatter. A skill that is already there is left
 * alone, even as a copy. E013 if another skill is there and `force` is not set; with `force` the old one is backed up.
 */
export function importSkill(dir: string, store: Store, options: ImportOptions): Imported {
  const source = openForBuild(canonicalPath(dir));
  if (!isSkillName(source.name)) {
    const help = 'names in a store are lower-case letters, digits and single hyphens';
    throw SkillwrightError.of('E100', { why: `'${source.name}' is not a valid name in a store` }, { help });
  }
  const place = join(store.skills, source.name);
  const existing = statusAt(place);
  if (existsSync(place) && canonicalPath(place) === source.dir)
    return { dir: place, backup: null, undo: () => {} };
  // An earlier import that was refused later has already copied it.
  if (isSkill(place) && digestSkill(place) === digestSkill(source.dir))
    return { dir: place, backup: null, undo: () => {} };
  if (existing !== undefined && !options.force) {
    const help =
      'the store has another skill of that name; use --force to replace it: the old one is backed up under .skillc/backups';
    throw SkillwrightError.of('E013', { path: place }, { help });
  }
  if (isInside(source.dir, realPathAhead(store.skills))) {
    throw SkillwrightError.of('E100', {
      why: 'the store is inside the skill that you want to import',
    });
  }
  // A repository may ship links. In the home directory they are the user's own.
  if (store.scope === 'project') refuseLinks(store.base, store.skills);
  const entries = checkPaths(source.dir);
  options.check?.(source.name, place);
  removeLeftovers(store.skills, { names: [source.name], now: options.now });
  const staged = temporaryBeside(place);
  try {
    mkdirSync(staged, { recursive: true });
    copyEntries(source.dir, staged, entries);
    const { home, now } = options;
    const project = store.scope === 'project' ? store.base : undefined;
    const aside = existing === undefined ? undefined : backupPlace(place, { home, project, now });
    const replacement = { path: place, staged, aside };
    const undo = () => restorePath(replacement, { move: movePath });
    return changeTogether((made) => {
      made({ undo });
      replacePath(replacement, { move: movePath });
      return { dir: place, backup: aside ?? null, undo };
    });
  } catch (error) {
    discardTemporary(staged);
    throw writeError(place, error);
  }
}
