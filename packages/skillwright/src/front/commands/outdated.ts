// skc outdated: installed skills that have a newer version.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { noticeLine } from '../../ship/network/index.ts';
import { defineCommand } from './define-command.ts';
import { fitTable } from './fit-table.ts';
import { NoticeOutput, OriginOutput, ScopeInput, showOrigin } from './install-output.ts';

/** Compares installed skills with their sources. */
export const outdated = defineCommand({
  input: z.strictObject({
    skills: z.array(z.string()).default([]).describe('Names of installed skills; without one, all'),
    scope: ScopeInput.describe('Only the project, or only yours; without it, both'),
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
          .describe('moved: its tag or version now points to other content'),
        pinned: z.boolean(),
        source: z.string(),
        origin: OriginOutput,
        current: z.string(),
        wanted: z.string().nullable().describe('The version update would install'),
        latest: z.string().nullable().describe('The newest version'),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
        notices: z.array(NoticeOutput).describe('Warnings about the installed version'),
        checked_at: z.string().nullable().describe('When the registry said so, if it was not asked now'),
      }),
    ),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'inspect' },
  about:
    'A source that cannot be reached is shown as unreachable; the exit code is still 0. Skills of a registry cost one request for up to a hundred of them. If a registry cannot be asked, its last answer is shown, and when it was.',
  examples: [{ line: 'skc outdated', note: 'compare current, wanted and latest versions' }],
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
  text({ skills }, view) {
    if (skills.length === 0) return 'no skills installed\n';
    const titles = ['NAME', 'CURRENT', 'WANTED', 'LATEST', 'STATUS', 'SOURCE'];
    const rows = skills.map(({ name, current, wanted, latest, status, pinned, ...skill }) => [
      name,
      current,
      wanted ?? '-',
      latest ?? '-',
      pinned ? `${status}, pinned` : status,
      makeVisible(showOrigin(skill)),
    ]);
    const told = skills.flatMap(({ name, error, notices }) => [
      ...(error === null ? [] : [`${name}: ${error.message}`]),
      ...notices.map((notice) => `${name}: ${notice.kind}: ${noticeLine(notice.text)}`),
    ]);
    const table = fitTable(
      titles.map((title) => ({ title })),
      rows,
      { ...view, leaves: ['SOURCE', 'LATEST', 'CURRENT'] },
    );
    return `${[...table, ...told].join('\n')}\n`;
  },
});
