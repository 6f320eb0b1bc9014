// Opens the connection of a serving process: loads and reads go to the access log.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { CommandContext } from '../commands/index.ts';
import { createConnection, type FolderConnection } from './create-connection.ts';

/** Opens a connection in the context of the serving command. */
export function openConnection(
  context: CommandContext,
  options: { readonly sessionId?: string } = {},
): FolderConnection {
  const { cwd, home, env } = context.workspace;
  const told = new Set<string>();
  const report = (diagnostic: Diagnostic) => {
    // If one row cannot be written, no row can: report it once.
    if (!told.has(diagnostic.code)) context.report(diagnostic);
    told.add(diagnostic.code);
  };
  return createConnection({ cwd, home, env, log: { now: () => context.now(), report }, ...options });
}
