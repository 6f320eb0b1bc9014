// Changes the installed skills, all or nothing. New files are staged next to the store and the change is written to a
// journal, which commits it: after a crash the next command finishes it.

import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import {
  backupName,
  discardTemporary,
  isDirectory,
  isThere,
  syncFiles,
  writeError,
} from '../../../base/files/index.ts';
import { hideNested } from '../../../make/compile/index.ts';
import type { Skill } from '../../../skill/skill/index.ts';
import { ignoresInstalled, writeIgnoreLines } from '../../../skill/workspace/index.ts';
import type { Notice } from '../../results/index.ts';
import type { ClearedContent } from '../gate/gate.ts';
import { type Lock, type LockedSkill, type ReadLock, readAgain, readLock, renderLock } from '../lock/lock.ts';
import { boundCache, openContentCache } from '../place/content-cache.ts';
import {
  type DerivedDeployment,
  type DeriveOptions,
  deriveSkill,
  sweepTargets,
} from '../place/derive-skill.ts';
import { type InstallContext, type InstallPlace, placeAt } from '../place/install-place.ts';
import { readPlaced, readProof, recordPlaced, shareEdits } from '../place/place-records.ts';
import { type Heard, rememberNews } from '../place/remembered.ts';
import { copyBeside, ignoreInstalled, type SkillFiles } from '../place/stored-files.ts';
import {
  changedNames,
  forgetTransaction,
  hasJournal,
  type Journal,
  markTransaction,
  removeJournal,
  sweepWork,
  turnJournal,
  withPlaceLocked,
  writeJournal,
} from './journal.ts';
import { locksOf, recoverPlace, settleStore, stagedPlace, syncDirectory } from './recover-place.ts';

/** The way of one skill from the lock before to the lock after. */
export interface SkillPlan {
  readonly name: string;
  /**
   * Its entry afterwards, which gets the acceptances with which its content was cleared; undefined when it is
   * uninstalled. Without `content` and `stays`, only the lock changes.
   */
  readonly after: LockedSkill | undefined;
  /** The files of the new directory. */
  readonly content?: ClearedContent | undefined;
  /** More files to keep in the cache: the new version without the user's edits. */
  readonly origin?: SkillFiles | undefined;
  /** Copies entries of the old directory that are not part of the skill into the new one. */
  readonly takesBeside?: boolean | undefined;
  /** Keeps the directory, whose content was cleared: only the lock and the derived files change. */
  readonly stays?: ClearedContent | undefined;
  /** Keeps the old directory, hidden next to the skills of the store. */
  readonly keep?: boolean | undefined;
  /** The proof to keep next to the lock; null for none. Left out, the present one stays. A removed skill keeps none. */
  readonly proof?: string | null | undefined;
  /** Warnings of its source about the version, if it was just asked. */
  readonly notices?: readonly Notice[] | undefined;
}

/** Result of a change: the lock now, the deployments, and the backups by skill name. */
export interface Changed {
  readonly lock: Lock;
  readonly deployments: ReadonlyMap<string, readonly DerivedDeployment[]>;
  readonly backups: ReadonlyMap<string, string>;
}

/** The lock of a place, and the entries that skc last wrote there. */
export interface LocksNow {
  readonly lock: Lock;
  readonly placed: Lock;
}

/** A store that this process has locked. */
interface LockedPlace {
  readonly place: InstallPlace;
  /** The lock as it is now, and the entries that skc last wrote there. E211 when the lock cannot be used. */
  locks(): LocksNow;
  /**
   * Carries out plans: the lock and the disk change together, and if it fails, nothing has changed. `force` replaces files
   * in agents' directories that skc did not make, and keeps a backup.
   */
  change(plans: readonly SkillPlan[], options?: { readonly force?: boolean }): Promise<Changed>;
}

/** Work on a locked place. */
interface PlaceWork<T> {
  work(locked: LockedPlace): T | Promise<T>;
  /** The lock as the command read it before. */
  readonly read?: ReadLock | undefined;
}

/** Locks a place, finishes an interrupted transaction, and runs `work`. E216 when another process holds the lock. */
export async function changePlace<T>(
  place: InstallPlace,
  context: InstallContext,
  { work, read: before }: PlaceWork<T>,
): Promise<T> {
  const options = await deriveOptionsOf(place, context);
  const heard: Heard[] = [];
  const done = await withPlaceLocked(place, context, () => {
    recoverPlace(options);
    // Safety: read again under the lock, because another process may have been faster.
    let known: (ReadLock & LocksNow) | undefined;
    const read = () => {
      const path = place.store.lock;
      known ??= {
        ...(before === undefined ? readLock(path) : readAgain(path, before)),
        placed: readPlaced(options.place),
      };
      return known;
    };
    return work({
      place: options.place,
      locks: read,
      async change(plans, { force = false } = {}) {
        const from = read();
        // Read again if it fails.
        known = undefined;
        const { text, placed, ...changed } = await change(plans, from, { ...options, force });
        known = { lock: changed.lock, text, placed };
        for (const { name, after: entry, content, stays, notices } of plans) {
          const { verdict } = content ?? stays ?? {};
          if (entry === undefined || verdict === undefined) continue;
          const answer = notices && { wanted: null, latest: null, notices };
          heard.push({ lock: place.store.lock, name, entry, verdict, ...(answer && { answer }) });
        }
        return changed;
      },
    });
  });
  rememberNews(heard, context);
  if (options.cache.isWritten) await boundCache(context.workspace);
  return done;
}

/** Finishes an interrupted transaction of a place, if there is one. For commands that only read. */
export async function recoverIfNeeded(place: InstallPlace, context: InstallContext): Promise<void> {
  if (!hasJournal(place)) return;
  const options = await deriveOptionsOf(place, context);
  await withPlaceLocked(place, context, () => recoverPlace(options));
}

async function deriveOptionsOf(place: InstallPlace, context: InstallContext): Promise<DeriveOptions> {
  const { workspace } = context;
  const { search, build } = await workspace.config();
  const hides = await hideNested(workspace);
  const step = context.step ?? (() => {});
  // Safety: the directories of targets are checked again before they are written to.
  const again = placeAt(place.store, workspace);
  return {
    place: again,
    context,
    cache: openContentCache(workspace),
    tokenizer: search.tokenizer,
    deploy: build.deploy,
    hides,
    force: false,
    step,
  };
}

async function change(
  plans: readonly SkillPlan[],
  before: ReadLock & LocksNow,
  options: DeriveOptions,
): Promise<Changed & { readonly text: string; readonly placed: Lock }> {
  const { place, step } = options;
  if (before.text === null) writeIgnoreLines(place.store);
  const lock = lockAfter(before.lock, plans);
  const journal = await stageChange(plans, { before: before.text, after: renderLock(lock) }, options);
  try {
    step('journal');
    markTransaction(journal.id, options.context.workspace.user);
    writeJournal(place, journal);
    syncDirectory(place.work);
  } catch (error) {
    sweepWork(place);
    throw error;
  }
  try {
    const locks = locksOf(journal, { before: before.lock, after: lock, placed: before.placed });
    const skills = new Map(plans.map(({ name, content }) => [name, content?.skill]));
    const { deployments, placed } = carryOut(journal, { ...options, locks, skills });
    step('end');
    removeJournal(place);
    forgetTransaction(journal.id, options.context.workspace.user);
    step('sweep');
    sweepWork(place);
    const backups = journal.skills.flatMap(({ name, keep }) =>
      keep === null ? [] : [[name, join(place.store.skills, keep)] as const],
    );
    return { lock, text: journal.after, placed, deployments, backups: new Map(backups) };
  } catch (error) {
    takeBack(options);
    throw error;
  }
}

/** The lock that plans lead to. */
function lockAfter(before: Lock, plans: readonly SkillPlan[]): Lock {
  const skills = { ...before.skills };
  for (const { name, after, content, stays } of plans) {
    const { accepted } = content ?? stays ?? {};
    if (after === undefined) delete skills[name];
    else skills[name] = accepted === undefined ? after : { ...after, accepted: [...accepted] };
  }
  return { skills };
}

/** Whether a plan changes the lock alone. */
const isNote = ({ after, content, stays }: SkillPlan) =>
  after !== undefined && content === undefined && stays === undefined;

async function stageChange(
  plans: readonly SkillPlan[],
  locks: Pick<Journal, 'before' | 'after'>,
  { place, context, cache, step }: DeriveOptions,
): Promise<Journal> {
  const id = `tx-${randomBytes(8).toString('hex')}`;
  const directory = join(place.work, id);
  try {
    const written: string[] = [];
    const moving = plans.filter((plan) => !isNote(plan));
    const isIgnored = ignoresInstalled(place.store);
    const skills = moving.map(({ name, content, origin, stays, keep = false, takesBeside }, index) => {
      tellProgress('writing', { index, of: moving.length }, context);
      const skill = join(place.store.skills, name);
      const leaves = stays === undefined && isThere(skill);
      if (stays !== undefined && origin !== undefined) cache.remember(stays, origin);
      if (content !== undefined) {
        const staged = stagedPlace(place, id, name);
        step(`stage ${name}`);
        const files = content.placeAt(staged);
        for (const path of files.keys()) written.push(join(staged, path));
        cache.remember({ files: () => files }, origin);
        if (isIgnored) ignoreInstalled(staged);
        if (takesBeside && isDirectory(skill)) copyBeside(skill, staged);
      }
      const backup = () => basename(backupName(join(place.store.skills, `.${name}`), context.now()));
      return { name, arrives: content !== undefined, leaves, keep: leaves && keep ? backup() : null };
    });
    await syncFiles(written);
    const proofs = plans.flatMap(({ name, after: entry, proof }) => {
      const before = readProof(name, place);
      const after = entry === undefined ? null : proof;
      return after === undefined || after === before ? [] : [{ name, before, after }];
    });
    return { version: 1, id, direction: 'forward', ...locks, skills, proofs };
  } catch (error) {
    discardTemporary(directory);
    throw writeError(directory, error);
  }
}

function carryOut(
  journal: Journal,
  options: DeriveOptions & {
    readonly locks: ReturnType<typeof locksOf>;
    readonly skills: ReadonlyMap<string, Skill | undefined>;
  },
): { deployments: Map<string, DerivedDeployment[]>; placed: Lock } {
  const { place, step, context, cache, locks, skills } = options;
  settleStore(journal, { place, step });
  sweepTargets(changedNames(journal), locks.now, options);
  const deployments = new Map(
    journal.skills.map(({ name }, index) => {
      tellProgress('compiling', { index, of: journal.skills.length }, context);
      step(`derive ${name}`);
      shareEdits(name, locks.now, { place, cache });
      return [name, deriveSkill(name, locks, { ...options, skill: skills.get(name), isSwept: true })];
    }),
  );
  if (journal.skills.length > 0) step('record');
  return { deployments, placed: recordPlaced(place, changedNames(journal), locks) };
}

/** Reports progress over many skills. */
function tellProgress(
  doing: string,
  { index, of }: { index: number; of: number },
  { progress }: InstallContext,
): void {
  if (of > 1) progress(`${doing} ${index + 1} of ${of}`);
}

/** Rolls back; if the disk refuses, the next command does it. */
function takeBack(options: DeriveOptions): void {
  const { place } = options;
  try {
    turnJournal(place);
    recoverPlace({ ...options, force: false });
  } catch (error) {
    if (!isSystemFailure(error)) throw error;
  }
}

function isSystemFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
