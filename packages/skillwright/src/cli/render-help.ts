// Help texts: the list of commands, and the page of one.

import type { AnyCommand } from '../commands/define-command.ts';
import { type CliOption, optionsOf } from '../commands/options-of.ts';
import type { Paint } from '../diagnostics/render-text.ts';
import { type CliName, cliNames, cliTable } from './cli-table.ts';
import { formatsOf } from './parse-arguments.ts';

/** What `skc` and `skc --help` print. Loads no command. */
export function renderOverview(paint: Paint): string {
  const width = Math.max(...cliNames.map((name) => name.length));
  return `${[
    'skc: write, check, compile and serve Agent Skills',
    '',
    `${paint.strong('Usage')}: skc <command> [arguments] [flags]`,
    '',
    paint.strong('Commands'),
    ...cliNames.map((name) => `  ${name.padEnd(width)}  ${cliTable[name].summary}`),
    '',
    paint.strong('Flags of every command'),
    '  --json           print the result as JSON',
    '  --format <name>  print the result as text, json, or what else the command offers',
    '  -h, --help       explain the command',
    '',
    'skc <command> --help shows a command with its flags and examples.',
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
export function renderCommandHelp(name: CliName, command: AnyCommand, paint: Paint): string {
  const { positionals, flags } = optionsOf(command);
  const lines = [cliTable[name].summary, '', `${paint.strong('Usage')}: ${renderUsage(name, command)}`];
  if (command.about !== undefined) lines.push('', command.about);
  if (positionals.length > 0)
    lines.push('', paint.strong('Arguments'), ...twoColumns(positionals.map(positionalRow)));
  lines.push('', paint.strong('Flags'), ...twoColumns([...flags.map(flagRow), ...sharedRows(command)]));
  if (command.examples !== undefined) {
    lines.push(
      '',
      paint.strong('Examples'),
      ...twoColumns(command.examples.map(({ line, note }) => [line, note])),
    );
  }
  return `${lines.join('\n')}\n`;
}

type Row = readonly [left: string, right: string];

const positionalRow = (option: CliOption): Row => [`<${option.flag}>`, describe(option)];

/** A flag as help and documentation show it: how it is written, and what it means. */
export function flagRow(option: CliOption): Row {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const negative = option.kind === 'boolean' && option.default === true;
  const flag = negative ? `--no-${option.flag}` : `--${option.flag}`;
  return [`${short}${flag}${option.kind === 'boolean' ? '' : ` ${placeholder(option)}`}`, describe(option)];
}

function placeholder(option: CliOption): string {
  if (option.values !== undefined && option.values.length <= 6) return `<${option.values.join('|')}>`;
  return option.kind === 'number' ? '<n>' : '<value>';
}

function describe(option: CliOption): string {
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

function twoColumns(rows: readonly Row[]): string[] {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
}
