// Prepares a skill to run: a private copy of its files, and the grants for exactly that copy.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { canNameDirectory, readSkillFields } from '../../skill/format/index.ts';
import { writtenName } from '../../skill/skill/index.ts';
import { storeAt } from '../../skill/workspace/index.ts';
import { hasGrants } from './grant-memory.ts';
import type { RunResult, Sandbox, SandboxedCommand } from './sandbox.ts';
import {
  type AccessContext,
  grantsOf,
  type SkillAccess,
  type SkillGrants,
  skillAccess,
} from './skill-access.ts';
import { type Snapshot, type TreeBounds, takeSnapshot, wholeSkill } from './skill-tree.ts';

/** A skill ready to run. */
export interface SkillCopy extends SkillGrants {
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
export function prepareSkill(directory: string, options: PrepareOptions): SkillCopy {
  const { home, sandbox, bound = false } = options;
  const dir = realpathSync.native(directory);
  // Module lookup visits every parent directory. If the copy is not mounted elsewhere, the parents must be the user's.
  const base = sandbox.relocates ? undefined : join(storeAt('user', home).root, 'run');
  const snapshot =
    bound || hasGrants(home, dir) ? takeSnapshot(dir, { bounds: wholeSkill, base }) : trySnapshot(dir, base);
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

/** How to run a command of a skill. */
type CopyRun = AccessContext &
  Pick<SandboxedCommand, 'limits' | 'signal'> & {
    readonly sandbox: Sandbox;
    readonly bound?: boolean;
    readonly stdin?: string | Uint8Array | undefined;
  };

/**
 * Runs a command of the skill in `dir` from a private copy of its files, which is removed afterwards. `commandOf` gets the
 * copy, and asks for its access once nothing more is granted. Errors as `prepareSkill` and the sandbox.
 */
export async function runInCopy(
  dir: string,
  { bound, limits, signal, stdin, ...options }: CopyRun,
  commandOf: (
    skill: SkillCopy,
    accessOf: (skill: SkillCopy) => SkillAccess,
  ) => Promise<SkillAccess & Pick<SandboxedCommand, 'argv'>>,
): Promise<RunResult> {
  const { home, sandbox } = options;
  const skill = prepareSkill(dir, { home, sandbox, ...(bound === undefined ? {} : { bound }) });
  try {
    const command = await commandOf(skill, (granted) => skillAccess(granted, options));
    return await sandbox.run({ ...command, limits, signal, stdin });
  } finally {
    skill.remove();
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
