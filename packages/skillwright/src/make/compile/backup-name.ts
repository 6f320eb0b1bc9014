// Finds a free name for a backup.

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

/** Owner of the backups. */
export interface BackupOptions {
  readonly home: string;
  readonly project: string | undefined;
  readonly now: Date;
}

/**
 * A free path for a backup of `path`, under `.skillc/backups` of its project, or of the user outside a project: next to
 * the original, agents would take it for a skill. Creates the directory.
 */
export function backupPlace(path: string, { home, project, now }: BackupOptions): string {
  const isProjects = project !== undefined && isInside(realPath(project), realPath(dirname(path)));
  const { backups } = isProjects ? storeAt('project', project) : storeAt('user', home);
  if (isProjects) checkInside(project, backups);
  mkdirSync(backups, { recursive: true });
  return backupName(join(backups, basename(path)), now);
}

/** Moves `path` to a backup. A link keeps its target. */
export function moveToBackup(path: string, backup: string): void {
  if (lstatSync(path).isSymbolicLink()) {
    symlinkSync(resolve(realPath(dirname(path)), readlinkSync(path)), backup, 'junction');
    rmSync(path);
    return;
  }
  try {
    renameSync(path, backup);
  } catch (error) {
    // The backup is on another file system.
    if (systemErrorCode(error) !== 'EXDEV') throw error;
    cpSync(path, backup, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(path, { recursive: true });
  }
}
