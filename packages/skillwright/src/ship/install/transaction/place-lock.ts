// Lets one process at a time change a store. It is an operating system lock, held through SQLite: it ends with its
// owner, however that ends, and does not rely on process ids.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { writeError } from '../../../base/files/index.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { checkPlace } from '../place/place-guard.ts';

/** How long to wait for another process before giving up. */
const WAIT_MS = 60_000;
const PAUSE_MS = 25;
const SQLITE_BUSY = 5;

/** Runs `work` while no other process changes the place. E216 when another one does not finish. */
export async function withPlaceLocked<T>(
  place: InstallPlace,
  context: Pick<InstallContext, 'signal'> & { readonly waitMs?: number },
  work: () => T | Promise<T>,
): Promise<T> {
  const database = openLock(place);
  try {
    await takeLock(database, place, context);
    return await work();
  } finally {
    database.close();
  }
}

function openLock(place: InstallPlace): DatabaseSync {
  const file = join(place.work, 'lock');
  try {
    checkPlace(place);
    if (mkdirSync(place.work, { recursive: true }) !== undefined)
      writeFileSync(join(place.work, '.gitignore'), '*\n');
    // SQLite says little about why a file cannot be opened.
    writeFileSync(file, '', { flag: 'a' });
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw writeError(file, error);
  }
}

async function takeLock(
  database: DatabaseSync,
  place: InstallPlace,
  { signal, waitMs = WAIT_MS }: Pick<InstallContext, 'signal'> & { readonly waitMs?: number },
): Promise<void> {
  // Counts attempts instead of time: a clock that jumps makes no difference.
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!isBusy(error)) throw unusable(place, error);
      if (waited >= waitMs || signal.aborted)
        throw SkillwrightError.of('E216', { path: place.store.root }, { cause: error });
    }
    await delay(PAUSE_MS);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === SQLITE_BUSY;
}

function unusable(place: InstallPlace, error: unknown): SkillwrightError {
  const why = error instanceof Error ? error.message : String(error);
  return SkillwrightError.of('E016', { path: join(place.work, 'lock'), why }, { cause: error });
}
