// Statistics as text.

import { makeVisible } from '../../base/diagnostics/index.ts';
import { TOKENS_SAVED, type UsageData, type UsageGroup, type UsageRow } from '../../read/usage/index.ts';
import type { Line, View } from './define-command.ts';
import { formatCell, renderTable } from './render-table.ts';
import type { Pruned, PrunedRow, RankedRow, SkillRows, Statistics } from './statistics.ts';
import { wrapText } from './text-width.ts';

/** Renders the statistics as tables. */
export function statsLines(statistics: Statistics, view: View): Line[] {
  const { paint } = view;
  const { skill, query, data, period, left_out: leftOut } = statistics;
  if (query === 'prune') return prunedLines(statistics);
  const title = paint.strong(makeVisible(skill ?? 'all skills'));
  const span = period.start === null ? 'no accesses' : spanOf(period.start, period.end!);
  return [
    `${title}  ${paint.faint(span)}`,
    '',
    statsBody(statistics, data, view),
    leftOut !== undefined && `... (${formatCell(leftOut)} more; raise --limit)`,
  ];
}

function spanOf(start: string, end: string): string {
  const [first, last] = [start.slice(0, 10), end.slice(0, 10)];
  return first === last ? first : `${first} to ${last}`;
}

function statsBody(
  { skill, query, left_out: leftOut }: Statistics,
  data: Statistics['data'],
  view: View,
): string[] {
  const group = query as UsageGroup;
  const isCut = leftOut !== undefined;
  if (skill !== null) return renderGroup(group, data as UsageData, { view, isCut });
  if (group === 'summary') return renderRanking(data as RankedRow[], view);
  const blocks = (data as SkillRows[]).map(({ skill, data }) =>
    [view.paint.strong(makeVisible(skill)), ...renderGroup(group, data, { view, isCut })].join('\n'),
  );
  return blocks.length === 0 ? ['no skills'] : [blocks.join('\n\n')];
}

function renderRanking(skills: readonly RankedRow[], view: View): string[] {
  if (skills.length === 0) return ['no skills'];
  const columns = ['SKILL', 'ACCESSES', 'SECTIONS', 'ERRORS', 'TOKENS SERVED', 'TOKENS SAVED', 'LAST USED'];
  const rows = skills.map((skill) => [
    skill.skill,
    ...[skill.total_accesses, skill.unique_sections, skill.error_count],
    ...[skill.tokens_served, skill.tokens_saved],
    skill.last_access?.slice(0, 10) ?? 'never',
  ]);
  if (!view.isTerminal) return renderTable(columns, rows, view);
  return renderTable(columns, rows, { ...view, leaves: ['ERRORS', 'SECTIONS', 'TOKENS SERVED', 'ACCESSES'] });
}

/** Columns of a group, and the line printed when it has no rows. */
const layouts: {
  readonly [Group in Exclude<UsageGroup, 'summary'>]: {
    readonly columns: readonly string[];
    cells(row: UsageRow<Group>): (string | number)[];
    readonly none: string;
  };
} = {
  sections: {
    columns: ['READS', 'ASKED', 'SECTION', 'FILE'],
    cells: ({ count, asked, section, file }) => [count, asked, section, file],
    none: 'the skill has no sections',
  },
  files: {
    columns: ['READS', 'FILE'],
    cells: ({ count, file }) => [count, file],
    none: 'no file was read',
  },
  commands: {
    columns: ['CALLS', 'COMMAND', 'ERRORS', 'TOKENS SERVED', 'MEAN MS'],
    cells: (row) => [row.count, row.command, row.error_count, row.tokens_served, row.duration_ms],
    none: 'nothing was called',
  },
  projects: {
    columns: ['CALLS', 'PROJECT', 'ERRORS', 'TOKENS SERVED', 'LAST USED'],
    cells: (row) => [
      ...[row.count, row.project, row.error_count, row.tokens_served],
      row.last_access.slice(0, 10),
    ],
    none: 'nothing was called',
  },
  errors: {
    columns: ['TIMES', 'CODE', 'COMMAND', 'REQUEST'],
    cells: ({ count, error, command, subject }) => [count, error, command, subject ?? ''],
    none: 'nothing failed',
  },
  search: {
    columns: ['TIMES', 'FOUND NOTHING', 'QUERY'],
    cells: ({ count, zero_results, query }) => [count, zero_results, query],
    none: 'nothing was searched for',
  },
  quiz: {
    columns: ['ASKED', 'FAILED', 'FAILED %', 'ATTEMPTS', 'PASSED', 'QUESTION'],
    cells: (row) => [
      ...[row.asked, row.failed, row.rate, row.attempts, row.passes],
      row.text === null ? `${row.question}.` : `${row.question}. ${row.text}`,
    ],
    none: 'no question was answered',
  },
  run: {
    columns: ['RUN', 'CALLS', 'ERRORS', 'TOKENS SERVED', 'LAST USED'],
    cells: (row) => [row.run_id, row.count, row.error_count, row.tokens_served, row.last_access.slice(0, 19)],
    none: 'nothing was called',
  },
  days: {
    columns: ['DAY', 'CALLS', 'ERRORS', 'TOKENS SERVED', 'TOKENS SAVED'],
    cells: (row) => [row.day, row.count, row.error_count, row.tokens_served, row.tokens_saved],
    none: 'nothing was called',
  },
};

function renderGroup(
  group: UsageGroup,
  data: UsageData,
  { view, isCut }: { view: View; isCut: boolean },
): string[] {
  if (group === 'summary') return renderSummary(data as UsageRow<'summary'>, view);
  const { columns, cells, none } = layouts[group];
  const rows = data as UsageRow<typeof group>[];
  if (rows.length === 0) return [none];
  const lines = renderTable(columns, rows.map(cells as (row: unknown) => (string | number)[]), view);
  return group === 'sections' && !isCut ? [...lines, ...unreadNote(rows as UsageRow<'sections'>[])] : lines;
}

function unreadNote(rows: readonly UsageRow<'sections'>[]): string[] {
  const unread = rows.filter(({ count }) => count === 0).length;
  return unread === 0 ? [] : ['', `${unread} of ${rows.length} sections were never read`];
}

function renderSummary(summary: UsageRow<'summary'>, view: View): string[] {
  const rows = [
    ['accesses', summary.total_accesses],
    ['sections read', summary.unique_sections],
    ['files read', summary.unique_files],
    ['errors', summary.error_count],
    ['tokens served', summary.tokens_served],
    ['tokens saved', summary.tokens_saved],
  ] as const;
  const width = Math.max(...rows.map(([, value]) => formatCell(value).length));
  return [
    ...rows.map(([name, value]) => `${name.padEnd(13)}  ${formatCell(value).padStart(width)}`),
    '',
    ...wrapText(`tokens saved: ${TOKENS_SAVED.charAt(0).toLowerCase()}${TOKENS_SAVED.slice(1)}`, {
      columns: view.columns,
      lines: 4,
    }).map(view.paint.faint),
  ];
}

function prunedLines({ skill, data }: Statistics): string[] {
  const entries = skill === null ? (data as PrunedRow[]) : [{ skill, ...(data as Pruned) }];
  if (entries.length === 0) return ['no skills'];
  return entries.map(
    ({ skill, removed, kept }) =>
      `${makeVisible(skill)}: ${formatCell(removed)} removed, ${formatCell(kept)} kept`,
  );
}
