// The lock between processes, and the journal of a transaction, written before anything changes: after a crash the next
// command finishes it or rolls it back. A repository can contain a journal, and the content it would install: the
// user's own are marked.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { orUndefined, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  discardTemporary,
  isThere,
  readRegularFile,
  removePath,
  renamePath,
  retry,
  writeError,
  writeFileAtomic,
} from '../../../base/files/index.ts';
import { holdLock, isHeld } from '../../../base/sqlite/index.ts';
import { isSkillName } from '../../../skill/format/index.ts';
import type { Store } from '../../../skill/workspace/index.ts';
import { checkPlace, type InstallContext, type InstallPlace } from '../place/install-place.ts';
import { MAX_PROOF_BYTES } from '../place/place-records.ts';

const SkillChange = z.strictObject({
  name: z.string().refine(isSkillName),
  /** Whether a staged directory replaces the skill. */
  arrives: z.boolean(),
  /** Whether an existing directory has to go. */
  leaves: z.boolean(),
  /** The hidden name in the store for the backup; null without one. */
  keep: z
    .string()
    .regex(/^\.[a-z0-9-]+\.bak-[0-9A-Za-z-]+$/)
    .nullable(),
});
export type SkillChange = z.output<typeof SkillChange>;

/** Text of a proof; null for no file. */
const Proof = z.string().max(MAX_PROOF_BYTES).nullable();

const ProofChange = z.strictObject({
  name: z.string().refine(isSkillName),
  before: Proof,
  after: Proof,
});

const JournalShape = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^tx-[0-9a-f]{16}$/),
  before: z.string().nullable(),
  after: z.string(),
  skills: z.array(SkillChange),
  /** Proofs beside the lock that change. */
  proofs: z.array(ProofChange).default([]),
});

/** One transaction. `before` and `after` are the texts of the lock, null for no file. */
export interface Journal extends z.output<typeof JournalShape> {
  /** Whether it is carried out or rolled back. */
  readonly direction: 'forward' | 'back';
}

const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;

/** The file name holds the direction: reversing is one rename, which needs no space on a full disk. */
const journalNames = { forward: 'journal.json', back: 'journal-back.json' } as const;
const directions = ['back', 'forward'] as const;

const journalPath = (place: InstallPlace, direction: Journal['direction']) =>
  join(place.work, journalNames[direction]);

/** Whether a transaction is in progress or was interrupted. */
export function hasJournal(place: InstallPlace): boolean {
  return directions.some((direction) => isThere(journalPath(place, direction)));
}

/** The interrupted transaction; undefined when there is none. E015 for a journal that skc did not write. */
export function readJournal(place: InstallPlace): Journal | undefined {
  for (const direction of directions) {
    const path = journalPath(place, direction);
    const bytes = readRegularFile(path, { maxBytes: MAX_JOURNAL_BYTES });
    if (bytes === undefined) continue;
    const help = 'skc did not write it; check it, then remove it';
    try {
      return { ...JournalShape.parse(JSON.parse(bytes.toString('utf8'))), direction };
    } catch (error) {
      throw SkillwrightError.of('E015', { path, why: 'not a transaction journal' }, { help, cause: error });
    }
  }
  return undefined;
}

/** Writes the journal of a transaction durably. This commits it. */
export function writeJournal(place: InstallPlace, { direction: _, ...journal }: Journal): void {
  writeFileAtomic(journalPath(place, 'forward'), `${JSON.stringify(journal)}\n`);
}

/** Switches a transaction to rolling back. */
export function turnJournal(place: InstallPlace): void {
  renamePath(journalPath(place, 'forward'), journalPath(place, 'back'));
}

/** Ends a transaction. */
export function removeJournal(place: InstallPlace): void {
  for (const direction of directions) removePath(journalPath(place, direction), { force: true });
}

/** The skills that a transaction changes. */
export const changedNames = ({ skills }: Journal): string[] => skills.map(({ name }) => name);

/** Removes leftovers of dead transactions. The place must be locked and have no journal. */
export function sweepWork(place: InstallPlace): void {
  for (const name of readdirSync(place.work)) {
    if (/^tx-[0-9a-f]{16}$/.test(name) || /^\.journal\.json\.\d+-[0-9a-z]+\.tmp$/.test(name))
      discardTemporary(join(place.work, name));
  }
}

const markOf = (id: string, user: Pick<Store, 'cache'>) => join(user.cache, 'transactions', id);

/** Marks a transaction as the user's own. One that cannot be marked is rolled back after a crash. */
export function markTransaction(id: string, user: Pick<Store, 'cache'>): void {
  const mark = markOf(id, user);
  orUndefined(() => {
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, '');
  });
}

/** Whether the user began a transaction. */
export function isOwnTransaction(id: string, user: Pick<Store, 'cache'>): boolean {
  return isThere(markOf(id, user));
}

/** Forgets a transaction that has ended. */
export function forgetTransaction(id: string, user: Pick<Store, 'cache'>): void {
  orUndefined(() => removePath(markOf(id, user), { force: true }));
}

/** How long to wait for another process before giving up. */
const WAIT_MS = 60_000;
const PAUSE_MS = 25;

/** Runs `work` while no other process changes the place. E216 when another one does not finish. */
export async function withPlaceLocked<T>(
  place: InstallPlace,
  context: Pick<InstallContext, 'signal'> & { readonly waitMs?: number },
  work: () => T | Promise<T>,
): Promise<T> {
  const { signal, waitMs = WAIT_MS } = context;
  const file = makeWorkDirectory(place);
  const release = await retry(() => holdLock(file, place.store.root), {
    most: 1 + waitMs / PAUSE_MS,
    pauseMs: PAUSE_MS,
    mayPass: (error) => isHeld(error) && !signal.aborted,
  }).catch((error: unknown) => {
    throw isHeld(error) ? SkillwrightError.of('E216', { path: place.store.root }, { cause: error }) : error;
  });
  try {
    return await work();
  } finally {
    release();
  }
}

function makeWorkDirectory(place: InstallPlace): string {
  const file = join(place.work, 'lock');
  try {
    checkPlace(place);
    if (mkdirSync(place.work, { recursive: true }) !== undefined)
      writeFileSync(join(place.work, '.gitignore'), '*\n');
    return file;
  } catch (error) {
    throw writeError(file, error);
  }
}
