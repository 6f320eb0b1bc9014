// Windows refuses to rename or delete what another process has open. Most processes close a file soon, so every change of
// a name tries again, with growing pauses. Elsewhere these errors are final, and nothing waits.

import { renameSync, rmSync } from 'node:fs';
import { retrySync, type Tries } from './retry.ts';
import { systemErrorCode } from './system-error.ts';

const refusals = new Set(['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY']);

/** True for an error that means, on Windows, that another process has a file open. */
export function isOpenElsewhere(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && refusals.has(systemErrorCode(error) ?? '');
}

/** About two seconds in total. */
const whileOpen: Tries = {
  most: 16,
  pauseMs: 1,
  maxPauseMs: 250,
  mayPass: (error) => isOpenElsewhere(error),
};

/** `renameSync`, tried again while the file or the one in its place is open elsewhere. */
export function renamePath(from: string, to: string): void {
  retrySync(() => renameSync(from, to), whileOpen);
}

/** `rmSync`, tried again while something there is open elsewhere. */
export function removePath(path: string, options: { recursive?: boolean; force?: boolean } = {}): void {
  retrySync(() => rmSync(path, options), whileOpen);
}
