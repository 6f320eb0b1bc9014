// The local log, used when a skill's own log cannot be written: a file of lines in
// `<cwd>/.skillc/logs/<skill>/`. Lines are appended atomically and each has an id, so that `sync` can merge every row
// exactly once, even when a process is killed.

import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { anyName, findLink, isMissing, namesIn, refuseLinks, statusAt } from '../../base/files/index.ts';
import { LOCAL_LOGS, OWN_DIRECTORY } from '../../skill/workspace/index.ts';
import type { AccessRow } from './access-log.ts';

const LINES_FILE = 'access.jsonl';
const MAX_ATTEMPTS = 20;

/** Path of the local log of a skill below a working directory. */
export function localLogDirectory(base: string, skill: string): string {
  return join(base, OWN_DIRECTORY, LOCAL_LOGS, skill);
}

/** The working directory that has a local log. */
const baseOf = (directory: string) => dirname(dirname(dirname(directory)));

/** Adds a row; throws file system errors, E017 when a link is on the path. */
export function appendLocally(directory: string, row: AccessRow): void {
  // Starts with a line break, in case a full disk cut off the previous line.
  const line = Buffer.from(`\n${JSON.stringify({ uid: crypto.randomUUID(), ...row })}\n`);
  const path = join(directory, LINES_FILE);
  refuseLinks(baseOf(directory), path);
  for (let attempt = 1; ; attempt++) {
    if (mkdirSync(directory, { recursive: true }) !== undefined) keepOutOfGit(dirname(directory));
    try {
      const inode = appendTo(path, line);
      // A sync may have moved the file before the line was in it. Then write it again, with the same id.
      if (statSync(path, { throwIfNoEntry: false })?.ino === inode) return;
    } catch (error) {
      // Otherwise a sync has just removed the empty directory.
      if (!isMissing(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function appendTo(path: string, line: Buffer): number {
  const descriptor = openSync(path, 'a');
  try {
    if (writeSync(descriptor, line) < line.length) throw new Error('the disk is full');
    return fstatSync(descriptor).ino;
  } finally {
    closeSync(descriptor);
  }
}

function keepOutOfGit(logs: string): void {
  try {
    writeFileSync(join(logs, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // It exists, or the logs show up in `git status`.
  }
}

/** Time of the oldest row of a local log; undefined when there is none. */
export function oldestLocalRow(directory: string): string | undefined {
  const times = linesFiles(directory).flatMap((path) => {
    const [first] = /"timestamp":"[^"]+"/.exec(readStart(path)) ?? [];
    return first === undefined ? [] : [first.slice('"timestamp":"'.length, -1)];
  });
  return times.sort()[0];
}

function readStart(path: string): string {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(1024);
      return bytes.toString('utf8', 0, readSync(descriptor, bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

/** Skills with a local log below a working directory, in bytewise order. */
export function listLocalLogs(base: string): string[] {
  const logs = join(base, OWN_DIRECTORY, LOCAL_LOGS);
  return namesIn(logs, anyName).filter((name) => linesFiles(join(logs, name)).length > 0);
}

/** The files of a local log, oldest first. */
export function linesFiles(directory: string): string[] {
  return namesIn(directory, anyName)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(directory, name))
    .filter((path) => findLink(baseOf(directory), path) === undefined && statusAt(path)?.isFile() === true);
}

/** Moves the files away from their writers and returns them, with those of a killed sync. */
export function takeLocalLog(directory: string, now: Date): string[] {
  refuseLinks(baseOf(directory), directory);
  const taken = `taken-${now.getTime().toString().padStart(15, '0')}-${crypto.randomUUID()}.jsonl`;
  try {
    renameSync(join(directory, LINES_FILE), join(directory, taken));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return linesFiles(directory).filter((path) => path !== join(directory, LINES_FILE));
}

/** Removes merged files, and directories that are now empty. */
export function removeLocalLog(directory: string, files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
  const logs = dirname(directory);
  if (!removeIfEmpty(directory) || namesIn(logs, anyName).some((name) => name !== '.gitignore')) return;
  rmSync(join(logs, '.gitignore'), { force: true });
  // Without its logs, the directory would count as a project.
  if (removeIfEmpty(logs)) removeIfEmpty(dirname(logs));
}

function removeIfEmpty(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    return false;
  }
}
