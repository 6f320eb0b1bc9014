// Lets one process at a time change a store.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { retry, writeError } from '../../../base/files/index.ts';
import { holdLock, isHeld } from '../../../base/sqlite/index.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { checkPlace } from '../place/place-guard.ts';

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
