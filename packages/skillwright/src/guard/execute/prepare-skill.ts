// Prepares a skill to run: a private copy of its files, and the grants for exactly that copy.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { canNameDirectory, readSkillFields } from '../../skill/format/index.ts';
import { writtenName } from '../../skill/skill/index.ts';
import { storeAt } from '../../skill/workspace/index.ts';
import { isRemembered } from './grant-memory.ts';
import type { Sandbox } from './sandbox.ts';
import { grantsOf, type SkillGrants } from './skill-access.ts';
import { type Snapshot, type TreeBounds, takeSnapshot, wholeSkill } from './skill-tree.ts';

/** A skill ready to run. */
export interface PreparedSkill extends SkillGrants {
  /** Directory of its files: the copy, or the skill itself when not copied. */
  readonly root: string;
  /** Removes the copy. */
  remove(): void;
}

/** Options for preparing a skill. */
interface PrepareOptions {
  readonly home: string;
  /** The sandbox it will run in. */
  readonly sandbox: Pick<Sandbox, 'relocates'>;
  /** True when its exact content matters for another reason than existing grants: it is trusted, or gets a new grant. */
  readonly bound?: boolean;
}

/** Copying this much takes a few milliseconds. */
const smallSkill: TreeBounds = { entries: 1000, bytes: 8 * 1024 * 1024 };

/**
 * Prepares the skill in a directory. A skill without grants that is larger than a few megabytes runs where
 * it is. E077 when its name cannot name a skill; E010, E012, E015 when it cannot be read; E016 when there is no space for the copy.
 */
export function prepareSkill(directory: string, options: PrepareOptions): PreparedSkill {
  const { home, sandbox, bound = false } = options;
  const dir = realpathSync.native(directory);
  // Module lookup visits every parent directory. If the copy is not mounted elsewhere, the parents must be the user's.
  const base = sandbox.relocates ? undefined : join(storeAt('user', home).root, 'run');
  const snapshot =
    bound || isRemembered(home, 'grants', dir)
      ? takeSnapshot(dir, { bounds: wholeSkill, base })
      : trySnapshot(dir, base);
  try {
    const root = snapshot?.path ?? dir;
    const fields = readSkillFields(root);
    const name = writtenName(fields);
    if (name === undefined || !canNameDirectory(name)) throw SkillwrightError.of('E077', { dir });
    const skill = grantsOf(fields, { dir, digest: snapshot?.digest, home });
    return { ...skill, root, remove: () => snapshot?.remove() };
  } catch (error) {
    snapshot?.remove();
    throw error;
  }
}

function trySnapshot(dir: string, base: string | undefined): Snapshot | undefined {
  try {
    return takeSnapshot(dir, { bounds: smallSkill, base });
  } catch (error) {
    // Too large, or a file that is unreadable here and so in the sandbox too.
    if (error instanceof SkillwrightError && error.code === 'E015') return undefined;
    throw error;
  }
}
