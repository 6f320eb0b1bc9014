// The step that puts a link or copy in place, and its rollback.

import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { discardTemporary, retrySync, systemErrorCode, temporaryBeside } from '../../base/files/index.ts';
import { type BackupOptions, backupPlace, moveToBackup } from './backup-name.ts';
import { isPristineCopy } from './is-pristine-copy.ts';
import { type InspectOptions, inspect } from './occupant.ts';
import type { Staged } from './stage-deployment.ts';

/** A link or copy in place. */
export interface Placed {
  /** Backup of what was there before; null if nothing had to be kept. */
  readonly backup: string | null;
  /** Previous target of a link. */
  readonly led: string | undefined;
  /** Restores what was there before. */
  undo(): void;
  /** Deletes what was there before and was ours. */
  settle(): void;
}

/** Other processes may deploy to the same target at the same time: each attempt checks it again. */
const MAX_ATTEMPTS = 20;

/** Puts a staged link or copy in place. E013 if the target now holds something that may not be replaced. */
export function putInPlace(
  path: string,
  { staged, method }: Staged,
  options: InspectOptions & BackupOptions,
): Placed {
  return retrySync(() => replace(path, { staged, method }, options), {
    most: MAX_ATTEMPTS,
    mayPass: isOvertaken,
  });
}

function replace(path: string, { staged, method }: Staged, options: InspectOptions & BackupOptions): Placed {
  const occupant = inspect(path, options);
  if (occupant.kind === 'nothing') {
    renameSync(staged, path);
    return { backup: null, led: undefined, undo: () => discardTemporary(path), settle: () => {} };
  }
  if (occupant.kind === 'link' && method === 'symlink') {
    // A link replaces a link in one step.
    const before = readlinkSync(path);
    renameSync(staged, path);
    return { backup: null, led: occupant.led, undo: () => relink(path, before), settle: () => {} };
  }
  // Move anything else aside first, and restore it if that fails.
  const isKept = occupant.kind === 'kept';
  const aside = isKept ? backupPlace(path, options) : temporaryBeside(path);
  const led = 'led' in occupant ? occupant.led : undefined;
  const before = led === undefined ? undefined : readlinkSync(path);
  if (isKept) moveToBackup(path, aside);
  else renameSync(path, aside);
  const undo = (): void => {
    discardTemporary(path);
    if (before === undefined) moveToBackup(aside, path);
    else {
      relink(path, before);
      rmSync(aside, { force: true });
    }
  };
  // No other process knows its place now, so it is certain whether it was changed.
  const isOurs = !isKept && (led !== undefined || isPristineCopy(aside));
  try {
    renameSync(staged, path);
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) undo();
    // Another process was faster: what was moved aside cannot be restored.
    else if (isOurs) discardTemporary(aside);
    else if (!isKept) moveToBackup(aside, backupPlace(path, options));
    throw error;
  }
  if (isKept || isOurs)
    return {
      backup: isKept ? aside : null,
      led,
      undo,
      settle: () => (isOurs ? discardTemporary(aside) : undefined),
    };
  const backup = backupPlace(path, options);
  moveToBackup(aside, backup);
  const bringBack = (): void => {
    discardTemporary(path);
    moveToBackup(backup, path);
  };
  return { backup, led, undo: bringBack, settle: () => {} };
}

function relink(path: string, text: string): void {
  const staged = temporaryBeside(path);
  symlinkSync(text, staged, 'junction');
  renameSync(staged, path);
}

function isOvertaken(error: unknown): boolean {
  return ['ENOENT', 'EEXIST', 'ENOTEMPTY', 'EISDIR', 'ENOTDIR'].includes(systemErrorCode(error) ?? '');
}
