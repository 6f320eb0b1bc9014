// Every word after `skc`: the commands that all front ends share, and the front ends that are started from this one.

import { type CommandEntry, type CommandName, commandTable } from '../commands/table.ts';

/** The name of a command of the command line. */
export type CliName = CommandName | 'mcp' | 'rpc';

/** Every command of the command line, in the order help shows them. */
export const cliTable: Readonly<Record<CliName, CommandEntry>> = {
  ...commandTable,
  completion: {
    summary: commandTable.completion.summary,
    // It completes the words of this table, not those of the library's.
    load: async () => (await import('../commands/completion.ts')).completionOf(cliTable),
  },
  mcp: {
    summary: 'Serve skills to agents over the Model Context Protocol',
    load: async () => (await import('../mcp/mcp.ts')).mcp,
  },
  rpc: {
    summary: 'Serve skills to an agent host over JSON-RPC',
    load: async () => (await import('../rpc/rpc.ts')).rpc,
  },
};

/** The names of all commands of the command line, in the order of the table. */
export const cliNames = Object.keys(cliTable) as CliName[];

/** True for the name of a command of the command line. */
export function isCliName(name: string): name is CliName {
  return Object.hasOwn(cliTable, name);
}
