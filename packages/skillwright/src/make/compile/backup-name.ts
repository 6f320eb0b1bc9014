// A free name for what has to step aside.

import { cpSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside, realPath, systemErrorCode } from '../../base/files/index.ts';
import { checkInside, storeAt } from '../../skill/workspace/index.ts';

/** `<path>.bak-<time>`, with a number when that is taken. */
export function backupName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  for (let attempt = 0; ; attempt++) {
    const name = `${path}.bak-${time}${attempt === 0 ? '' : `-${attempt}`}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

/** Whose backups are meant. */
export interface BackupOptions {
  readonly home: string;
  readonly project: string | undefined;
  readonly now: Date;
}

/**
 * A free place for something that stood at `path`, under `.skillc/backups` of the project it lies in, else of the user:
 * beside it, agents would take it for a skill. The directory is made.
 */
export function backupPlace(path: string, { home, project, now }: BackupOptions): string {
  const isProjects = project !== undefined && isInside(realPath(project), realPath(dirname(path)));
  const { backups } = isProjects ? storeAt('project', project) : storeAt('user', home);
  if (isProjects) checkInside(project, backups);
  mkdirSync(backups, { recursive: true });
  return backupName(join(backups, basename(path)), now);
}

/** Moves what stands at `path` to a backup. A link keeps leading where it led, wherever it is kept. */
export function moveToBackup(path: string, backup: string): void {
  if (lstatSync(path).isSymbolicLink()) {
    symlinkSync(resolve(realPath(dirname(path)), readlinkSync(path)), backup, 'junction');
    rmSync(path);
    return;
  }
  try {
    renameSync(path, backup);
  } catch (error) {
    // Another file system.
    if (systemErrorCode(error) !== 'EXDEV') throw error;
    cpSync(path, backup, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(path, { recursive: true });
  }
}
