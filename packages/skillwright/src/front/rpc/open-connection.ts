// The connection of a process that serves: what is loaded and read leaves rows in the access log.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { CommandContext } from '../commands/index.ts';
import { createConnection, type FolderConnection } from './create-connection.ts';

/** Opens it in the surroundings of the command that serves. */
export function openConnection(
  context: CommandContext,
  options: { readonly sessionId?: string } = {},
): FolderConnection {
  const { cwd, home, env } = context.workspace;
  const told = new Set<string>();
  const report = (diagnostic: Diagnostic) => {
    // What keeps one row from being written keeps all of them.
    if (!told.has(diagnostic.code)) context.report(diagnostic);
    told.add(diagnostic.code);
  };
  return createConnection({ cwd, home, env, log: { now: () => context.now(), report }, ...options });
}
