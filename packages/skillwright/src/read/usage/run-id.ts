// Id shared by the accesses of one run.

import type { Environment } from '../../base/files/index.ts';
import { readVariable } from '../../base/variables.ts';

const MAX_LENGTH = 200;

let ownRun: string | undefined;

/** `SKC_RUN_ID`, else an id for this process: `20260102T030405Z-1a2b`. */
export function runIdOf(env: Environment, now: Date): string {
  const given = readVariable(env, 'RUN_ID');
  if (given !== undefined) return given.slice(0, MAX_LENGTH);
  if (ownRun === undefined) {
    const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
    const random = Math.floor(Math.random() * 0x10000);
    ownRun = `${time}-${random.toString(16).padStart(4, '0')}`;
  }
  return ownRun;
}
