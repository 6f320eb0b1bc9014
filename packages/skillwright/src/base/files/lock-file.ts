// One process at a time on a small file.

import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { sleepSync } from './sleep-sync.ts';
import { systemErrorCode } from './system-error.ts';

const LOCK_TRIES = 200;
const LOCK_WAIT_MS = 10;
/** Nobody needs a lock for so long: its owner is gone. */
const LOCK_STALE_MS = 10_000;

/** Waits for the lock of a file and takes it. Where none can be made the change goes on without. */
export function lockFile(path: string): () => void {
  const file = `${path}.lock`;
  for (let attempt = 0; attempt < LOCK_TRIES; attempt++) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      closeSync(openSync(file, 'wx'));
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') break;
      const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      if (made !== undefined && Date.now() - made > LOCK_STALE_MS) rmSync(file, { force: true });
      else sleepSync(LOCK_WAIT_MS);
    }
  }
  return () => {};
}
