// Logs builds: one row in the log of each skill that was built.

import { logAccess } from '../../read/usage/index.ts';
import type { CommandContext } from './command-context.ts';

/** Built skills, and how long each took. */
interface Builds {
  readonly built: readonly {
    readonly name: string;
    readonly source: string;
    readonly runtime: string;
    readonly status: string;
    readonly indexed: number;
  }[];
  readonly milliseconds: readonly number[];
}

/** Writes the rows. Never fails. */
export async function logBuilds({ built, milliseconds }: Builds, context: CommandContext): Promise<void> {
  for (const [index, { name, source, runtime, status, indexed }] of built.entries()) {
    const access = {
      command: 'build',
      skill: name,
      skill_path: source,
      args: { status, indexed },
      error: null,
      bytes: 0,
      tokens: 0,
      duration_ms: Math.round(milliseconds[index]! * 1000) / 1000,
    };
    await logAccess(access, runtime, context);
  }
}
