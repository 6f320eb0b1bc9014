// Backups of what a forced build replaces, and leftovers of killed builds.

import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  isInside,
  realPath,
  removePath,
  renamePath,
  statusAt,
  systemErrorCode,
} from '../../base/files/index.ts';
import { checkInside, storeAt } from '../../skill/workspace/index.ts';

/** `<path>.bak-<time>`, with a number when that is taken. */
export function backupName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  for (let attempt = 0; ; attempt++) {
    const name = `${path}.bak-${time}${attempt === 0 ? '' : `-${attempt}`}`;
    if (statusAt(name) === undefined) return name;
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
    removePath(path);
    return;
  }
  try {
    renamePath(path, backup);
  } catch (error) {
    // The backup is on another file system.
    if (systemErrorCode(error) !== 'EXDEV') throw error;
    cpSync(path, backup, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    removePath(path, { recursive: true });
  }
}

/** Another process may still be using younger ones. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Removes temporary files of the given names from a directory if they are ten minutes older than `now`; all of them
 * without `now`. Their SQLite journals go as well. Returns the paths removed, or to be removed with `dryRun`.
 */
export function removeLeftovers(
  dir: string,
  options: { names: readonly string[]; now?: Date | undefined; dryRun?: boolean | undefined },
): string[] {
  const { names, now } = options;
  const cut = new Set(names.map((name) => name.slice(0, 40)));
  const isTemporary = (entry: string) => {
    const name = /^\.(.+)\.\d+-[a-z0-9]{1,8}\.tmp(?:-journal)?$/.exec(entry)?.[1];
    return name !== undefined && cut.has(name);
  };
  let entries: string[];
  try {
    entries = readdirSync(dir);
  } catch {
    // No directory, so no leftovers.
    return [];
  }
  return entries.filter(isTemporary).flatMap((entry) => {
    const path = join(dir, entry);
    const changed = statusAt(path)?.mtimeMs;
    if (changed === undefined || (now !== undefined && now.getTime() - changed < ABANDONED_AFTER_MS))
      return [];
    if (options.dryRun !== true) removePath(path, { recursive: true, force: true });
    return [path];
  });
}
