// Prepares a skill to run: a private copy of its files, and the grants for exactly that copy.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { canNameDirectory, readSkillFields } from '../../skill/format/index.ts';
import { SKILL_FILE, writtenName } from '../../skill/skill/index.ts';
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
import {
  type ClosedParts,
  type Snapshot,
  surveySkill,
  type TreeBounds,
  takeSnapshot,
  wholeSkill,
} from './skill-tree.ts';

/** A skill ready to run. */
export interface SkillCopy extends SkillGrants {
  /** Directory of its files: the copy, or the skill itself when not copied. */
  readonly root: string;
  /** Parts of `root` that its code must not see, relative to it; none in a copy, which leaves them out. */
  readonly closed: readonly string[];
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
  /** Default: hidden files and all nested skills. */
  readonly closed?: ClosedParts;
}

/** The parts of the skill in a directory that its code must not see. E015 when it is too large to know. */
export async function findClosedParts(
  directory: string,
  { fencedIn }: Pick<AccessContext, 'fencedIn'>,
): Promise<ClosedParts> {
  const dir = realpathSync.native(directory);
  const { hidden, manifests } = surveySkill(dir);
  if (fencedIn === undefined || manifests.length === 0) return allClosed({ hidden, manifests });
  return { hidden, fenced: await fencedIn(dir, manifests) };
}

const allClosed = ({ hidden, manifests }: ReturnType<typeof surveySkill>): ClosedParts => ({
  hidden,
  fenced: manifests.map((path) => path.slice(0, -SKILL_FILE.length)),
});

/** Hiding one takes the sandbox a mount. */
const MAX_HIDDEN = 500;

/** Copying this much takes a few milliseconds. */
const smallSkill: TreeBounds = { entries: 1000, bytes: 8 * 1024 * 1024 };

/**
 * Prepares the skill in a directory. A skill without grants that is larger than a few megabytes runs where
 * it is. E077 when its name cannot name a skill; E010, E012, E015 when it cannot be read; E016 when there is no space for the copy.
 */
export function prepareSkill(directory: string, options: PrepareOptions): SkillCopy {
  const { home, sandbox, bound = false } = options;
  const dir = realpathSync.native(directory);
  const closed = options.closed ?? allClosed(surveySkill(dir));
  // Module lookup visits every parent directory. If the copy is not mounted elsewhere, the parents must be the user's.
  const base = sandbox.relocates ? undefined : join(storeAt('user', home).root, 'run');
  const snapshot =
    bound || hasGrants(home, dir)
      ? takeSnapshot(dir, { bounds: wholeSkill, base, closed })
      : trySnapshot(dir, { base, closed });
  try {
    const root = snapshot?.path ?? dir;
    const fields = readSkillFields(root);
    const name = writtenName(fields);
    if (name === undefined || !canNameDirectory(name)) throw SkillwrightError.of('E077', { dir });
    const skill = grantsOf(fields, { dir, digest: snapshot?.digest, home });
    const masked = snapshot === undefined ? [...closed.hidden, ...closed.fenced] : [];
    if (masked.length > MAX_HIDDEN) {
      const why = `it has ${masked.length} hidden files and closed skills; at most ${MAX_HIDDEN} can be kept from its code`;
      throw SkillwrightError.of('E015', { path: dir, why });
    }
    return { ...skill, root, closed: masked, remove: () => snapshot?.remove() };
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
  const closed = await findClosedParts(dir, options);
  const skill = prepareSkill(dir, { home, sandbox, closed, ...(bound === undefined ? {} : { bound }) });
  try {
    const command = await commandOf(skill, (granted) => skillAccess(granted, options));
    return await sandbox.run({ ...command, limits, signal, stdin });
  } finally {
    skill.remove();
  }
}

function trySnapshot(
  dir: string,
  place: Omit<Parameters<typeof takeSnapshot>[1], 'bounds'>,
): Snapshot | undefined {
  try {
    return takeSnapshot(dir, { bounds: smallSkill, ...place });
  } catch (error) {
    // Too large, or a file that is unreadable here and so in the sandbox too.
    if (error instanceof SkillwrightError && error.code === 'E015') return undefined;
    throw error;
  }
}
