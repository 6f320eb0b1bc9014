// The output of `skc` and `skc --help`: every command in its group. Loads no command.

import { commandGroups, type View } from '../commands/index.ts';
import { cliTable, currentNames } from './cli-table.ts';
import { topicNames } from './help-topics.ts';
import { MAX_COLUMNS, twoColumns, wrapped } from './two-columns.ts';

const sharedFlags = [
  ['--json', 'Print the result as JSON'],
  ['--format <name>', 'Print it as text, json, or another format of the command'],
  ['-h, --help', 'Show the help of a command'],
  ['-V, --version', 'Show the version'],
] as const;

/** With fewer columns than this, summaries go below the commands. */
const MIN_ROOM = 40;

/** The overview. */
export function renderOverview({ paint, columns }: View): string {
  return `${[
    'skc: write, check, compile, install and serve Agent Skills',
    '',
    `${paint.strong('Usage')}: skc <command> [arguments] [flags]`,
    '',
    ...groupRows(columns).map(({ title, rest }) => `${paint.strong(title)}${rest}`),
    '',
    ...twoColumns(sharedFlags, columns),
    '',
    ...wrapped('skc help <command> shows flags and examples; skc help <topic> explains:', columns),
    ...wrapped(`${topicNames.join(', ')}.`, columns - 2).map((line) => `  ${line}`),
  ].join('\n')}\n`;
}

/** One line per command; the first of a group starts with the group's name. */
function groupRows(columns: number): { title: string; rest: string }[] {
  const titles = Math.max(...commandGroups.map((group) => group.length));
  const names = Math.max(...currentNames.map((name) => name.length));
  const room = Math.min(columns, MAX_COLUMNS) - titles - names - 4;
  return commandGroups.flatMap((group) => {
    const members = currentNames.filter((name) => cliTable[name].group === group);
    if (room < MIN_ROOM) {
      const rows = members.map((name) => [name, cliTable[name].summary] as const);
      return [
        { title: group, rest: '' },
        ...twoColumns(rows, columns).map((line) => ({ title: '', rest: line })),
      ];
    }
    return members.flatMap((name, index) => {
      const title = index === 0 ? group : '';
      const [first, ...more] = wrapped(cliTable[name].summary, room);
      const indent = ' '.repeat(titles - title.length + 2);
      const below = ' '.repeat(titles + names + 4);
      return [
        { title, rest: `${indent}${name.padEnd(names)}  ${first}` },
        ...more.map((line) => ({ title: '', rest: below + line })),
      ];
    });
  });
}
