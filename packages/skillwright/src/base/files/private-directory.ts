// Private directories below the temporary one. Those of killed processes are removed by the next that makes one.

import { mkdirSync, mkdtempSync, readlinkSync, realpathSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { orUndefined } from '../diagnostics/index.ts';
import { namesIn } from './compare-paths.ts';
import { statusAt } from './paths.ts';
import { removePath } from './retry.ts';
import { systemErrorCode, writeError } from './system-error.ts';
import { discardTemporary } from './write-atomic.ts';

/** The directory, and a function that removes it. */
export interface PrivateDirectory {
  readonly path: string;
  remove(): void;
}

/** Creates an empty directory below `base`, and `base` if it is missing. E016 when that fails. */
export function makePrivateDirectory(base: string = tmpdir()): PrivateDirectory {
  try {
    mkdirSync(base, { recursive: true, mode: 0o700 });
    const path = realpathSync.native(mkdtempSync(join(base, `${ownPrefix()}${process.pid}-`)));
    return {
      path,
      remove() {
        removePath(path, { recursive: true, force: true });
        if (tidied.has(base)) return;
        tidied.add(base);
        for (const left of abandonedDirectories(base)) discardTemporary(left);
      },
    };
  } catch (error) {
    throw writeError(base, error);
  }
}

/** Marks machine and PID namespace: others may share the directory but not the process numbers. */
function ownPrefix(): string {
  const space = orUndefined(() => readlinkSync('/proc/self/ns/pid'))?.replace(/\D/g, '') ?? '0';
  const host = hostname().replace(/\W/g, '').slice(0, 32);
  return `skc-run-${host}-${space}-`;
}

/** Looked through once per process, after its first run. */
const tidied = new Set<string>();

/** Directories of killed processes below `base`: only real ones of this user, which no one else can replace. */
export function abandonedDirectories(base: string = tmpdir()): string[] {
  const prefix = ownPrefix();
  return namesIn(base).flatMap((name) => {
    const pid = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) return [];
    const path = join(base, name);
    const status = statusAt(path);
    // On Windows every user has a temporary directory.
    const isOwn = process.getuid === undefined || status?.uid === process.getuid();
    return status?.isDirectory() && isOwn ? [path] : [];
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH';
  }
}
