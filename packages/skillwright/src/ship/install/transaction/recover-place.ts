// Carries out a journal, again after a crash if need be. Every step checks the current state first, so repeating it is
// harmless.

import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  backupName,
  type Replacement,
  readRegularFile,
  removePath,
  replacePath,
  restorePath,
  statusAt,
  writeError,
  writeFileAtomic,
} from '../../../base/files/index.ts';
import { entryOf, type Lock, parseLock } from '../lock/lock.ts';
import { type DeriveOptions, deriveSkill } from '../place/derive-skill.ts';
import { checkTransaction, type InstallPlace, joinTargets } from '../place/install-place.ts';
import { keepProof, readPlaced, recordPlaced, shareEdits } from '../place/place-records.ts';
import { driftOf, isIntact } from '../verify/check-installed.ts';
import {
  changedNames,
  forgetTransaction,
  isOwnTransaction,
  type Journal,
  readJournal,
  removeJournal,
  type SkillChange,
  sweepWork,
  turnJournal,
} from './journal.ts';

/** Directories of a transaction for new and old files. */
export function stagedPlace(place: InstallPlace, id: string, name: string): string {
  return join(place.work, id, 'new', name);
}

/** Puts directories and lock into the state of the journal's direction. E016 when the disk refuses. */
export function settleStore(journal: Journal, options: MoveOptions): void {
  const { place, step, rescue } = options;
  const { direction, before, after } = journal;
  const forward = direction === 'forward';
  for (const change of journal.skills) {
    const { name, keep } = change;
    const replacement = replacementOf(journal, change, place);
    try {
      (forward ? replacePath : restorePath)(replacement, {
        step: (move) => step(`${move} ${name}`),
        // A backup is rescued by being one.
        rescue: () => (forward && keep !== null ? undefined : rescue?.(name)),
      });
    } catch (error) {
      throw writeError(replacement.path, error);
    }
  }
  syncDirectory(place.store.skills);
  for (const proof of journal.proofs) {
    step(`proof ${proof.name}`);
    keepProof(proof.name, forward ? proof.after : proof.before, place);
  }
  step('lock');
  const text = forward ? after : before;
  if (text === readText(place.store.lock)) return;
  if (text === null) removePath(place.store.lock, { force: true });
  else writeFileAtomic(place.store.lock, text);
  syncDirectory(place.store.root);
}

function readText(path: string): string | null {
  return readRegularFile(path, { maxBytes: Number.MAX_SAFE_INTEGER })?.toString('utf8') ?? null;
}

interface MoveOptions {
  readonly place: InstallPlace;
  readonly step: DeriveOptions['step'];
  /** Where to keep a directory that the transaction would discard; undefined when it may be discarded. */
  readonly rescue?: ((name: string) => string | undefined) | undefined;
}

/** The directory of a skill, and what replaces it. */
function replacementOf(
  { id }: Journal,
  { name, arrives, leaves, keep }: SkillChange,
  place: InstallPlace,
): Replacement {
  const left = keep === null ? join(place.work, id, 'old', name) : join(place.store.skills, keep);
  return {
    path: join(place.store.skills, name),
    staged: arrives ? stagedPlace(place, id, name) : undefined,
    aside: leaves ? left : undefined,
  };
}

/**
 * Finishes or rolls back an interrupted transaction, and removes leftovers of dead ones. The place must be locked.
 * A failed compilation or deployment is reported: the files and the lock agree anyway.
 */
export function recoverPlace(options: DeriveOptions): void {
  const { place, context, cache, step } = options;
  const journal = readTrusted(options);
  if (journal !== undefined) {
    checkTransaction(place, journal.id);
    const locks = locksOf(journal, parseLocks(journal, place));
    settleStore(journal, { place, step, rescue: (name) => rescuePlace(name, locks, options) });
    for (const name of changedNames(journal)) {
      step(`derive ${name}`);
      try {
        shareEdits(name, locks.now, { place, cache });
        deriveSkill(name, locks, options);
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        context.report(diagnosticOf(error));
      }
    }
    if (journal.direction === 'forward') {
      step('record');
      recordPlaced(place, changedNames(journal), locks);
    }
    step('end');
    removeJournal(place);
    forgetTransaction(journal.id, context.workspace.user);
  }
  sweepWork(place);
}

/**
 * The journal of a place. A project's journal that would install content and that this user did not begin is rolled
 * back: its content was not scanned here.
 */
function readTrusted({ place, context }: DeriveOptions): Journal | undefined {
  const journal = readJournal(place);
  const isStrange =
    journal?.direction === 'forward' &&
    place.project !== undefined &&
    journal.skills.some(({ arrives }) => arrives) &&
    !isOwnTransaction(journal.id, context.workspace.user);
  if (!isStrange) return journal;
  checkTransaction(place, journal.id);
  turnJournal(place);
  context.note('rolling back an interrupted installation that you did not start');
  return { ...journal, direction: 'back' };
}

/**
 * Where to keep a skill's directory that does not match the other lock: the journal may be foreign, and the user may
 * have edited since. Undefined when nothing would be lost.
 */
function rescuePlace(
  name: string,
  { other, placed }: ReturnType<typeof locksOf>,
  { place, context }: DeriveOptions,
): string | undefined {
  const skill = join(place.store.skills, name);
  const entry = entryOf(other, name);
  if (entry !== undefined && statusAt(skill)?.isDirectory() === true) {
    const drift = driftOf({ name, place, entry }, placed);
    if (drift !== undefined && isIntact({ ...drift, behind: [] })) return undefined;
  }
  const kept = backupName(join(place.store.skills, `.${name}`), context.now());
  context.note(`${name}: an interrupted command would have removed its directory; it is kept at ${kept}`);
  return kept;
}

/**
 * The lock that the journal leads to, the other one with the entries recorded under an earlier lock, and that record.
 */
export function locksOf(
  journal: Journal,
  { before, after, placed }: { readonly before: Lock; readonly after: Lock; readonly placed: Lock },
): { readonly now: Lock; readonly other: Lock; readonly placed: Lock } {
  if (journal.direction === 'back') return { now: before, other: after, placed };
  const earlier = changedNames(journal).flatMap((name) => {
    const [entry, known] = [entryOf(before, name), entryOf(placed, name)];
    if (known === undefined) return [];
    const targets = joinTargets(known.targets, entry?.targets ?? []);
    return [[name, { ...(entry ?? known), targets }] as const];
  });
  const other = { skills: { ...before.skills, ...Object.fromEntries(earlier) } };
  return { now: after, other, placed };
}

function parseLocks({ before, after }: Journal, place: InstallPlace) {
  const { lock: path } = place.store;
  return {
    before: before === null ? { skills: {} } : parseLock(before, path),
    after: parseLock(after, path),
    placed: readPlaced(place),
  };
}

/** Makes the names in a directory durable, where the platform can. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32' || !existsSync(path)) return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
