// A process that a test can recognise from outside a sandbox, by the unusual time it sleeps.

import { spawnSync } from 'node:child_process';

/** For `sleep`. */
export const uniqueSeconds = (): string => `${100_000 + Math.floor(Math.random() * 1_000_000)}.25`;

/** Whether a process of this machine sleeps for exactly that long. */
export function isSleeping(seconds: string): boolean {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return stdout.split('\n').includes(`sleep ${seconds}`);
}
