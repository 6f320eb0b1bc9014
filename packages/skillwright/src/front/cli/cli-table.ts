// Every command of `skc`: those all front ends share, and those that start another front end.

import type { Paint } from '../../base/diagnostics/index.ts';
import {
  type CommandContext,
  type CommandEntry,
  type CommandName,
  commandGroups,
  commandTable,
  withSchemas,
} from '../commands/index.ts';
import type { PickerTerminal, SkillsInput } from '../picker/index.ts';

/** The name of a command of the command line. */
export type CliName = CommandName | 'mcp' | 'rpc' | 'studio';

/** A terminal with a person at it. */
export interface Interaction {
  readonly context: CommandContext;
  readonly paint: Paint;
  readonly terminal: PickerTerminal;
}

/** One row of the table. */
interface CliEntry extends CommandEntry {
  /** Interactive variant for a person at a terminal, for inputs it accepts. */
  readonly interaction?: {
    accepts(input: Record<string, unknown>): boolean;
    /** Returns the text to print at the end; undefined when the person left without a choice. */
    run(input: Record<string, unknown>, interaction: Interaction): Promise<string | undefined>;
  };
}

/** Every command of the command line, in the order help shows them. */
export const cliTable: Readonly<Record<CliName, CliEntry>> = {
  ...commandTable,
  skills: {
    ...commandTable.skills,
    interaction: {
      accepts: ({ enable, disable }) => enable !== true && disable !== true,
      async run(input, { context, paint, terminal }) {
        const { pickSkills } = await import('../picker/pick-skills.ts');
        return pickSkills(input as SkillsInput, context, { paint, terminal });
      },
    },
  },
  mcp: serving('Serve skills to agents over MCP', async () => (await import('../mcp/mcp.ts')).mcp),
  rpc: serving(
    'Serve skills to an agent host over JSON-RPC',
    async () => (await import('../rpc/rpc.ts')).rpc,
  ),
  studio: serving(
    'Show skills and their use in your browser',
    async () => (await import('../studio/studio.ts')).studio,
  ),
};

function serving(summary: string, declared: CliEntry['declared']): CliEntry {
  return { group: 'Serve', summary, load: async () => withSchemas(await declared()), declared };
}

/** The names of all commands of the command line, by group, the most used first. */
export const cliNames = commandGroups.flatMap((group) =>
  (Object.keys(cliTable) as CliName[]).filter((name) => cliTable[name].group === group),
);

/** The same without old names: the commands that help, completion and the man page list. */
export const currentNames = cliNames.filter((name) => cliTable[name].now === undefined);

/** True for the name of a command of the command line. */
export function isCliName(name: string): name is CliName {
  return Object.hasOwn(cliTable, name);
}
