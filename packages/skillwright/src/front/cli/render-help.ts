// Help texts: the list of commands, and the page of one.

import { type AnyCommand, type CliOption, optionsOf, type View } from '../commands/index.ts';
import { wrapText } from '../picker/index.ts';
import { type CliName, cliNames, cliTable } from './cli-table.ts';
import { formatsOf } from './parse-arguments.ts';

/** Wider lines are hard to read, whatever the terminal has room for. */
const MAX_COLUMNS = 120;

/** With less room than this beside them, explanations stand below what they explain. */
const MIN_ROOM = 24;

/** What `skc` and `skc --help` print. Loads no command. */
export function renderOverview({ paint, columns }: View): string {
  return `${[
    'skc: write, check, compile and serve Agent Skills',
    '',
    `${paint.strong('Usage')}: skc <command> [arguments] [flags]`,
    '',
    paint.strong('Commands'),
    ...twoColumns(
      cliNames.map((name) => [name, cliTable[name].summary]),
      columns,
    ),
    '',
    paint.strong('Flags of every command'),
    ...twoColumns(
      [
        ['--json', 'print the result as JSON'],
        ['--format <name>', 'print the result as text, json, or what else the command offers'],
        ['-h, --help', 'explain the command'],
      ],
      columns,
    ),
    '',
    ...wrapped('skc <command> --help shows a command with its flags and examples.', columns),
  ].join('\n')}\n`;
}

/** `skc lint [paths…] [flags]`. */
export function renderUsage(name: string, command: AnyCommand): string {
  const { positionals, flags } = optionsOf(command);
  const places = positionals.map((option) => {
    const word = `<${option.flag}>${option.multiple ? '…' : ''}`;
    return option.required ? word : `[${word}]`;
  });
  const required = flags
    .filter((option) => option.required)
    .map((option) => `--${option.flag} ${placeholder(option)}`);
  return ['skc', name, ...places, ...required, '[flags]'].join(' ');
}

/** What `skc <name> --help` prints. */
export function renderCommandHelp(name: CliName, command: AnyCommand, { paint, columns }: View): string {
  const { positionals, flags } = optionsOf(command);
  const lines = [cliTable[name].summary, '', `${paint.strong('Usage')}: ${renderUsage(name, command)}`];
  if (command.about !== undefined) lines.push('', ...wrapped(command.about, columns));
  if (positionals.length > 0)
    lines.push('', paint.strong('Arguments'), ...twoColumns(positionals.map(positionalRow), columns));
  lines.push(
    '',
    paint.strong('Flags'),
    ...twoColumns([...flags.map(flagRow), ...sharedRows(command)], columns),
  );
  if (command.examples !== undefined) {
    lines.push(
      '',
      paint.strong('Examples'),
      ...twoColumns(
        command.examples.map(({ line, note }) => [line, note]),
        columns,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

type Row = readonly [left: string, right: string];

const positionalRow = (option: CliOption): Row => [`<${option.flag}>`, describeOption(option)];

/** A flag as help and documentation show it: how it is written, and what it means. */
export function flagRow(option: CliOption): Row {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const negative = option.kind === 'boolean' && option.default === true;
  const flag = negative ? `--no-${option.flag}` : `--${option.flag}`;
  return [
    `${short}${flag}${option.kind === 'boolean' ? '' : ` ${placeholder(option)}`}`,
    describeOption(option),
  ];
}

function placeholder(option: CliOption): string {
  if (option.values !== undefined && option.values.length <= 6) return `<${option.values.join('|')}>`;
  return option.kind === 'number' ? '<n>' : '<value>';
}

function describeOption(option: CliOption): string {
  const notes: string[] = [];
  if (option.values !== undefined && option.values.length > 6)
    notes.push(`one of ${option.values.join(', ')}`);
  if (option.multiple) notes.push('may be repeated');
  const hasDefault = option.default !== undefined && option.default !== false && option.default !== true;
  if (hasDefault && !(Array.isArray(option.default) && option.default.length === 0)) {
    notes.push(`default ${String(option.default)}`);
  }
  return notes.length === 0 ? option.description : `${option.description} (${notes.join('; ')})`;
}

/** The rows for the flags every command has. */
export function sharedRows(command: AnyCommand): Row[] {
  return [
    ['--json', 'Print the result as JSON'],
    [`--format <${formatsOf(command).join('|')}>`, 'How to print the result (default text)'],
    ['-h, --help', 'Explain the command'],
  ];
}

/** The lines of a text; a line end after a whole sentence stays one. */
function wrapped(text: string, columns: number): string[] {
  const width = Math.min(columns, MAX_COLUMNS);
  return text
    .split(/(?<=\.)\n/)
    .flatMap((part) => wrapText(part, { columns: width, lines: Number.POSITIVE_INFINITY }));
}

function twoColumns(rows: readonly Row[], columns: number): string[] {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  const room = Math.min(columns, MAX_COLUMNS) - width - 4;
  const below = room < MIN_ROOM;
  const indent = ' '.repeat(below ? 6 : width + 4);
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, below ? columns - indent.length : room);
    const isBeside = !below && left.length <= width;
    const first = isBeside ? `  ${left.padEnd(width)}  ${lines.shift() ?? ''}` : `  ${left}`;
    return [first.trimEnd(), ...lines.map((line) => indent + line)];
  });
}
