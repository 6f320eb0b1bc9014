// skc outdated: which installed skills have something newer.

import * as z from 'zod';
import { defineCommand } from './define-command.ts';
import { ScopeInput } from './install-output.ts';
import { renderTable } from './render-table.ts';

/** Compares installed skills with their sources. */
export const outdated = defineCommand({
  input: z.strictObject({
    skills: z.array(z.string()).default([]).describe('Names of installed skills; none for all'),
    scope: ScopeInput.describe('Whose skills; both without it'),
    offline: z.boolean().default(false).describe('Never use the network'),
  }),
  positionals: ['skills'],
  output: z.object({
    skills: z.array(
      z.object({
        name: z.string(),
        scope: z.enum(['project', 'user']),
        status: z
          .enum(['current', 'outdated', 'moved', 'gone', 'unreachable'])
          .describe('moved: its tag or version stands for something else by now'),
        pinned: z.boolean(),
        source: z.string(),
        current: z.string(),
        wanted: z.string().nullable().describe('What update would install'),
        latest: z.string().nullable().describe('The newest there is'),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'inspect' },
  about: 'A source that cannot be reached is shown as unreachable. The exit status is 0 all the same.',
  examples: [{ line: 'skc outdated', note: 'a table of current, wanted and latest' }],
  async run({ skills, scope, offline }, context) {
    const { listOutdated } = await import('../../ship/install/list-outdated.ts');
    const rows = await listOutdated({ skills, scope, offline }, context);
    return {
      skills: rows.map(({ error, ...row }) => ({
        ...row,
        error: error === null ? null : { code: error.code, message: error.message },
      })),
    };
  },
  text({ skills }, { paint }) {
    if (skills.length === 0) return 'nothing is installed\n';
    const columns = ['NAME', 'CURRENT', 'WANTED', 'LATEST', 'STATUS', 'SOURCE'].map((title) => ({ title }));
    const rows = skills.map(({ name, current, wanted, latest, status, pinned, source }) => [
      name,
      current,
      wanted ?? '-',
      latest ?? '-',
      pinned ? `${status}, pinned` : status,
      source,
    ]);
    const errors = skills.flatMap(({ name, error }) => (error === null ? [] : [`${name}: ${error.message}`]));
    return `${[...renderTable(columns, rows, paint), ...errors].join('\n')}\n`;
  },
});
