// Changes the installed skills, all or nothing. New files are staged next to the store and the change is written to a
// journal, which commits it: after a crash the next command finishes it.

import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { discardTemporary, isDirectory, isThere, syncFiles, writeError } from '../../../base/files/index.ts';
import { backupName, hideNested } from '../../../make/compile/index.ts';
import { writeIgnoreLines } from '../../../skill/workspace/index.ts';
import type { ClearedContent } from '../gate/gate.ts';
import { rememberVerdicts } from '../gate/verdict-memory.ts';
import { type Lock, type ReadLock, readLock, renderLock } from '../lock/lock.ts';
import { boundCache } from '../place/bound-cache.ts';
import { openContentCache } from '../place/content-cache.ts';
import {
  type DerivedDeployment,
  type DeriveOptions,
  deriveSkill,
  sweepTargets,
} from '../place/derive-skill.ts';
import { ignoreInstalled } from '../place/ignore-installed.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { readProof } from '../place/log-proofs.ts';
import { recordPlaced } from '../place/placed-record.ts';
import { shareEdits } from '../place/shared-edits.ts';
import { copyBeside } from '../place/stored-files.ts';
import {
  hasJournal,
  type Journal,
  namesOf,
  type ProofChange,
  removeJournal,
  sweepWork,
  turnJournal,
  writeJournal,
} from './journal.ts';
import { forgetTransaction, markTransaction } from './own-transactions.ts';
import { withPlaceLocked } from './place-lock.ts';
import { locksOf, recoverPlace, settleStore, stagedPlace, syncDirectory } from './recover-place.ts';

/** Change to one skill of the store. */
export interface SkillChangeRequest {
  readonly name: string;
  /** The files of the new directory; absent when there is none. */
  readonly content?: ClearedContent | undefined;
  /** Copies entries of the old directory that are not part of the skill into the new one. */
  readonly takesBeside?: boolean | undefined;
  /** Keeps the directory, whose content was cleared: only the lock and the derived files change. */
  readonly stays?: ClearedContent | undefined;
  /** Keeps the old directory, hidden next to the skills of the store. */
  readonly keep: boolean;
  /** The proof to keep next to the lock; null for none. Left out, the present one stays. A removed skill keeps none. */
  readonly proof?: string | null | undefined;
}

/** A change of the lock and of the directories it names. */
interface ChangeRequest {
  readonly skills: readonly SkillChangeRequest[];
  readonly lock: Lock;
  /** Proofs of skills whose files do not change, by name; null for none. */
  readonly proofs?: ReadonlyMap<string, string | null> | undefined;
  /** Replaces files in agents' directories that skc did not make, and keeps a backup. */
  readonly force?: boolean | undefined;
}

/** Result of a change: the deployments, and the backups by skill name. */
export interface Changed {
  readonly deployments: ReadonlyMap<string, readonly DerivedDeployment[]>;
  readonly backups: ReadonlyMap<string, string>;
}

/** A store that this process has locked. */
export interface LockedPlace {
  readonly place: InstallPlace;
  /** The lock as it is on disk now. E211 when it cannot be used. */
  lock(): Lock;
  /** Makes a change. If it fails, nothing has changed. */
  change(request: ChangeRequest): Promise<Changed>;
}

/** Locks a place, finishes an interrupted transaction, and runs `work`. E216 when another process holds the lock. */
export async function changePlace<T>(
  place: InstallPlace,
  context: InstallContext,
  work: (locked: LockedPlace) => T | Promise<T>,
): Promise<T> {
  const options = await deriveOptionsOf(place, context);
  const done = await withPlaceLocked(place, context, () => {
    recoverPlace(options);
    return work({
      place,
      lock: () => readLock(place.store.lock).lock,
      change: (request) => change(request, { ...options, force: request.force ?? false }),
    });
  });
  rememberVerdicts(context.workspace);
  await boundCache(context.workspace);
  return done;
}

/** Finishes an interrupted transaction of a place, if there is one. For commands that only read. */
export async function recoverIfNeeded(place: InstallPlace, context: InstallContext): Promise<void> {
  if (!hasJournal(place)) return;
  const options = await deriveOptionsOf(place, context);
  await withPlaceLocked(place, context, () => recoverPlace(options));
}

async function deriveOptionsOf(place: InstallPlace, context: InstallContext): Promise<DeriveOptions> {
  const { search, build } = await context.workspace.config();
  const hides = await hideNested(context.workspace);
  const step = context.step ?? (() => {});
  return { place, context, tokenizer: search.tokenizer, deploy: build.deploy, hides, force: false, step };
}

async function change(request: ChangeRequest, options: DeriveOptions): Promise<Changed> {
  const { place, step } = options;
  const before = readLock(place.store.lock);
  if (before.text === null) writeIgnoreLines(place.store);
  const journal = await stageChange(request, before, options);
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
    const deployments = carryOut(journal, options);
    step('end');
    removeJournal(place);
    forgetTransaction(journal.id, options.context.workspace.user);
    step('sweep');
    sweepWork(place);
    const backups = journal.skills.flatMap(({ name, keep }) =>
      keep === null ? [] : [[name, join(place.store.skills, keep)] as const],
    );
    return { deployments, backups: new Map(backups) };
  } catch (error) {
    takeBack(options);
    throw error;
  }
}

async function stageChange(
  request: ChangeRequest,
  before: ReadLock,
  options: DeriveOptions,
): Promise<Journal> {
  const { place, context, step } = options;
  const id = `tx-${randomBytes(8).toString('hex')}`;
  const directory = join(place.work, id);
  try {
    const written: string[] = [];
    const skills = request.skills.map(({ name, content, stays, keep, takesBeside }, index) => {
      tellProgress('writing', { index, of: request.skills.length }, context);
      const skill = join(place.store.skills, name);
      const leaves = stays === undefined && isThere(skill);
      if (content !== undefined) {
        const staged = stagedPlace(place, id, name);
        step(`stage ${name}`);
        for (const path of content.placeAt(staged)) written.push(path);
        ignoreInstalled(staged, place);
        if (takesBeside && isDirectory(skill)) copyBeside(skill, staged);
      }
      const backup = backupName(join(place.store.skills, `.${name}`), context.now());
      return { name, arrives: content !== undefined, leaves, keep: leaves && keep ? basename(backup) : null };
    });
    await syncFiles(written);
    const after = renderLock(request.lock);
    const proofs = proofChanges(request, place);
    return { version: 1, id, direction: 'forward', before: before.text, after, skills, proofs };
  } catch (error) {
    discardTemporary(directory);
    throw writeError(directory, error);
  }
}

/** The proofs beside the lock that change. */
function proofChanges({ skills, proofs = new Map() }: ChangeRequest, place: InstallPlace): ProofChange[] {
  const wanted = new Map<string, string | null | undefined>(proofs);
  for (const { name, content, stays, proof } of skills)
    wanted.set(name, content === undefined && stays === undefined ? null : proof);
  return [...wanted].flatMap(([name, after]) => {
    const before = readProof(name, place);
    return after === undefined || after === before ? [] : [{ name, before, after }];
  });
}

function carryOut(journal: Journal, options: DeriveOptions): Map<string, DerivedDeployment[]> {
  const { place, step, context } = options;
  const locks = locksOf(journal, place);
  settleStore(journal, { place, step });
  const cache = openContentCache(context.workspace);
  sweepTargets(namesOf(journal), locks.now, options);
  const deployments = new Map(
    journal.skills.map(({ name }, index) => {
      tellProgress('compiling', { index, of: journal.skills.length }, context);
      step(`derive ${name}`);
      shareEdits(name, locks.now, { place, cache });
      return [name, deriveSkill(name, locks, { ...options, isSwept: true })];
    }),
  );
  if (journal.skills.length > 0) step('record');
  recordPlaced(place, namesOf(journal), locks.now);
  return deployments;
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
