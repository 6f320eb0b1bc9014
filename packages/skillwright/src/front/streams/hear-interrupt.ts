// Lets Ctrl-C interrupt long work of one process.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { SkillwrightError } from '../../base/diagnostics/index.ts';

/** Call it between two pieces of work that writes nothing before its end: signals are heard only then. E091 after Ctrl-C. */
export async function hearInterrupt(signal: AbortSignal | undefined, what: string): Promise<void> {
  await nextTurn();
  if (signal?.aborted) throw SkillwrightError.of('E091', { what }, { help: 'nothing was written' });
}
