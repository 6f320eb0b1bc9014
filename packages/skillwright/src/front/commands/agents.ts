// skc agents: the agents skc can deploy to, where each keeps its skills, and which are used here.

import { join } from 'node:path';
import * as z from 'zod';
import { formatCount } from '../../base/diagnostics/index.ts';
import { isDirectory } from '../../base/files/index.ts';
import { agents as known, marksOf, userDirectory } from '../../skill/agents/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { defineCommand } from './define-command.ts';
import { flag } from './fields.ts';
import { renderTable } from './render-table.ts';

const Agent = z.object({
  id: z.string().describe('The name that --target takes'),
  aliases: z.array(z.string()),
  project: z.string().describe('Its directory in a project'),
  user: z.string().optional().describe('Its directory for all your projects; absent where it has none'),
  variable: z.string().optional().describe('The variable that moves your directory'),
  present: z.boolean().describe('Whether it has left traces on this machine'),
});

/** Lists the agents. */
export const agents = defineCommand({
  fields: {
    present: flag('Only agents found on this machine'),
  },
  positionals: [],
  output: z.object({ agents: z.array(Agent) }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  about:
    'An agent counts as present when its own directory exists in your home directory or in the project. Pass an id to `--target` of `build` or `install`.',
  examples: {
    'skc agents': 'list every agent',
    'skc agents --present': 'list the ones you use',
  },
  run({ present }, { workspace }) {
    const all = known.map((agent) => ({
      id: agent.id,
      aliases: [...(agent.aliases ?? [])],
      project: agent.project,
      ...(agent.user === undefined ? {} : { user: userDirectory(agent, workspace)! }),
      ...(agent.variable === undefined ? {} : { variable: agent.variable }),
      present: isPresent(marksOf(agent), workspace),
    }));
    return { agents: present ? all.filter((agent) => agent.present) : all };
  },
  text({ agents: all }, view) {
    if (all.length === 0) return "no agents found here; 'skc agents' lists every agent skc knows\n";
    const rows = all.map(({ id, aliases, project, user = '-', present }) => [
      present ? '*' : '',
      [id, ...aliases].join(', '),
      project,
      user,
    ]);
    const columns = ['', 'AGENT', 'PROJECT', 'USER'];
    const found = all.filter(({ present }) => present).length;
    return [
      // A narrow terminal cuts the paths first.
      renderTable(columns, rows, view.isTerminal ? { ...view, leaves: [] } : view),
      `${formatCount(all.length, 'agent')}, ${found} found on this machine (*)`,
    ];
  },
});

/** Whether an agent has left traces in the home directory or in the project. */
export function isPresent(marks: readonly string[], { home, project }: Workspace): boolean {
  const bases = [home, ...(project === undefined ? [] : [project.dir])];
  return bases.some((base) => marks.some((mark) => isDirectory(join(base, mark))));
}
