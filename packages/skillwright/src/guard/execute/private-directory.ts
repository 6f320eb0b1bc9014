// A private directory for one run. The next run removes those of killed processes.

import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { namesIn, removePath, writeError } from '../../base/files/index.ts';

/** The directory, and a function that removes it. */
export interface PrivateDirectory {
  readonly path: string;
  remove(): void;
}

/** The user that code of skills runs as inside a sandbox, and its group. */
export const NOBODY = 65534;

/** Whether a user and the group of the same number, neither of them the owner, may read a path and enter the directories above. */
export function isOpenTo(user: number, path: string, wanted = 0o5): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || status.uid === user) return false;
  const bits = status.isDirectory() ? wanted : 0o4;
  const mode = status.gid === user ? status.mode >> 3 : status.mode;
  return (mode & bits) === bits && (path === '/' || isOpenTo(user, dirname(path), 0o1));
}

/** Creates an empty directory below `base`, and `base` if it is missing. E016 when that fails. */
export function makePrivateDirectory(base: string = tmpdir()): PrivateDirectory {
  try {
    mkdirSync(base, { recursive: true, mode: 0o700 });
    const path = realpathSync.native(mkdtempSync(join(base, `${ownPrefix()}${process.pid}-`)));
    if (process.platform === 'linux' && process.getuid?.() === 0) {
      // The sandbox may start as another user, who gets no more than to read it.
      chownSync(path, 0, NOBODY);
      chmodSync(path, 0o750);
    }
    return {
      path,
      remove() {
        removePath(path, { recursive: true, force: true });
        removeStale(base);
      },
    };
  } catch (error) {
    throw writeError(base, error);
  }
}

/** Marks the PID namespace: another container may share the directory but not the process numbers. */
function ownPrefix(): string {
  const space = orUndefined(() => readlinkSync('/proc/self/ns/pid'))?.replace(/\D/g, '') ?? '0';
  return `skc-run-${space}-`;
}

const tidied = new Set<string>();

/** Removes directories of killed processes. Runs once per process, after its first run. */
function removeStale(base: string): void {
  if (tidied.has(base)) return;
  tidied.add(base);
  const prefix = ownPrefix();
  for (const name of namesIn(base)) {
    const pid = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(base, name);
    const status = lstatSync(path, { throwIfNoEntry: false });
    // Only a directory of this user, which no one else can replace; links below it are not followed.
    if (status?.isDirectory() && status.uid === process.getuid?.())
      orUndefined(() => removePath(path, { recursive: true, force: true }));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
