// skc outdated: which installed skills have something newer.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { noticeText } from '../../ship/install/index.ts';
import { defineCommand } from './define-command.ts';
import { NoticeOutput, ScopeInput } from './install-output.ts';
import { renderTable } from './render-table.ts';
import { cutToWidth, widthOf } from './text-width.ts';

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
          .describe('moved: its tag or version stands for something else by now'),
        pinned: z.boolean(),
        source: z.string(),
        current: z.string(),
        wanted: z.string().nullable().describe('What update would install'),
        latest: z.string().nullable().describe('The newest there is'),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
        notices: z.array(NoticeOutput).describe('What is said against what is installed'),
      }),
    ),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'inspect' },
  about: 'A source that cannot be reached is shown as unreachable; the exit code is 0 all the same.',
  examples: [{ line: 'skc outdated', note: 'compare current, wanted and latest versions' }],
  async run({ skills, scope, offline }, context) {
    const { listOutdated } = await import('../../ship/install/list-outdated.ts');
    const rows = await listOutdated({ skills, scope, offline }, context);
    return {
      skills: rows.map(({ error, ...row }) => ({
        ...row,
        notices: row.notices.map(({ kind, text }) => ({ kind, text })),
        error: error === null ? null : { code: error.code, message: error.message },
      })),
    };
  },
  text({ skills }, view) {
    const { columns } = view;
    if (skills.length === 0) return 'nothing is installed\n';
    const titles = ['NAME', 'CURRENT', 'WANTED', 'LATEST', 'STATUS'];
    const rows = skills.map(({ name, current, wanted, latest, status, pinned }) => [
      name,
      current,
      wanted ?? '-',
      latest ?? '-',
      pinned ? `${status}, pinned` : status,
    ]);
    const widest = Math.max(...skills.map(({ source }) => widthOf(makeVisible(source))));
    const used = titles.map((title, at) => Math.max(title.length, ...rows.map((row) => widthOf(row[at]!))));
    const room = (Number.isFinite(columns) ? columns : 80) - used.reduce((sum, width) => sum + width + 2, 0);
    // A source that does not fit beside the rest is left to --json and to skc info.
    const hasRoom = room >= Math.min(widest, 16);
    const shown = hasRoom
      ? rows.map((row, index) => [...row, cutToWidth(makeVisible(skills[index]!.source), room)])
      : rows;
    const columnList = [...titles, ...(hasRoom ? ['SOURCE'] : [])].map((title) => ({ title }));
    const told = skills.flatMap(({ name, error, notices }) => [
      ...(error === null ? [] : [`${name}: ${error.message}`]),
      ...notices.map((notice) => `${name}: ${notice.kind}: ${noticeText(notice.text)}`),
    ]);
    return `${[...renderTable(columnList, shown, view), ...told].join('\n')}\n`;
  },
});
