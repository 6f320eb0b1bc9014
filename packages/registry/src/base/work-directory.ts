// Temporary directories of a server. Their names carry the process, so that the next one can remove those of a killed server.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PATTERN = /^skw-(?:import|publish|rescan|mirror)-([0-9]+)-/;

/** Runs the work with a new directory, which is removed afterwards. */
export async function withWorkDirectory<Result>(
  purpose: 'import' | 'publish' | 'rescan' | 'mirror',
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), `skw-${purpose}-${process.pid}-`));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Removes the directories of processes that have ended. Call it before this process makes any: its number may be an old one. */
export async function sweepWorkDirectories(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(PATTERN.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || (pid !== process.pid && isRunning(pid))) continue;
    // Those of another user stay.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
