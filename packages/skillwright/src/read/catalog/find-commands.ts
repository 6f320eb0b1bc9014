// Checks whether commands exist, without running them.

import { findProgram } from '../../base/files/index.ts';

/** True when a command of this name is on the PATH. */
export type CommandFinder = (command: string) => boolean;

/** Creates a finder that looks up each command once. */
export function createCommandFinder(env: Readonly<Record<string, string | undefined>>): CommandFinder {
  const known = new Map<string, boolean>();
  return (command) => {
    const before = known.get(command);
    if (before !== undefined) return before;
    const isThere = findProgram(command, env) !== undefined;
    known.set(command, isThere);
    return isThere;
  };
}
