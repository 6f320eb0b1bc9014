// Every word after `skc`: the commands that all front ends share, and the front ends that are started from this one.

import type { Paint } from '../../base/diagnostics/index.ts';
import {
  type CommandContext,
  type CommandEntry,
  type CommandName,
  commandGroups,
  commandTable,
} from '../commands/index.ts';
import type { SkillsInput } from '../picker/index.ts';

/** The name of a command of the command line. */
export type CliName = CommandName | 'mcp' | 'rpc';

/** A terminal with a person at it. */
export interface Interaction {
  readonly context: CommandContext;
  readonly paint: Paint;
  /** Writes to the terminal at once. */
  write(text: string): void;
}

/** One row of the table. */
export interface CliEntry extends CommandEntry {
  /** The command for a person at a terminal: gives what is printed at the end, or undefined to run as anywhere else. */
  interact?(input: Record<string, unknown>, interaction: Interaction): Promise<string | undefined>;
}

/** Every command of the command line, in the order help shows them. */
export const cliTable: Readonly<Record<CliName, CliEntry>> = {
  ...commandTable,
  skills: {
    ...commandTable.skills,
    async interact(given, { context, paint, write }) {
      const input = given as SkillsInput;
      if (input.enable || input.disable) return undefined;
      const [{ pickSkills }, { ownTerminal }] = await Promise.all([
        import('../picker/pick-skills.ts'),
        import('../picker/own-terminal.ts'),
      ]);
      return pickSkills(input, context, { paint, openTerminal: () => ownTerminal(write) });
    },
  },
  mcp: {
    group: 'Serve',
    summary: 'Serve skills to agents over MCP',
    load: async () => (await import('../mcp/mcp.ts')).mcp,
  },
  rpc: {
    group: 'Serve',
    summary: 'Serve skills to an agent host over JSON-RPC',
    load: async () => (await import('../rpc/rpc.ts')).rpc,
  },
};

/** The names of all commands of the command line, by group, the most used first. */
export const cliNames = commandGroups.flatMap((group) =>
  (Object.keys(cliTable) as CliName[]).filter((name) => cliTable[name].group === group),
);

/** True for the name of a command of the command line. */
export function isCliName(name: string): name is CliName {
  return Object.hasOwn(cliTable, name);
}
