// The help of one command.

import { type AnyCommand, type CliOption, optionsOf, type View } from '../commands/index.ts';
import { type CliName, cliTable } from './cli-table.ts';
import { formatsOf } from './parse-arguments.ts';
import { type HelpRow, twoColumns, wrapped } from './two-columns.ts';

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

/** The output of `skc <name> --help`. */
export function renderCommandHelp(name: CliName, command: AnyCommand, { paint, columns }: View): string {
  const { positionals, flags } = optionsOf(command);
  const { summary, now } = cliTable[name];
  const about = now === undefined ? summary : `${summary} (old name of 'skc ${now}')`;
  const lines = [about, '', `${paint.strong('Usage')}: ${renderUsage(name, command)}`];
  if (command.about !== undefined) lines.push('', ...wrapped(command.about, columns));
  if (positionals.length > 0)
    lines.push('', paint.strong('Arguments'), ...twoColumns(positionals.map(positionalRow), columns));
  lines.push(
    '',
    paint.strong('Flags'),
    ...twoColumns([...flags.map(flagRow), ...sharedRows(command)], columns),
  );
  if (command.examples !== undefined) {
    lines.push('', paint.strong('Examples'), ...twoColumns(Object.entries(command.examples), columns));
  }
  const others = seeAlso(name);
  if (others.length > 0) {
    const rows = others.map((other) => [`skc ${other}`, cliTable[other].summary] as const);
    lines.push('', paint.strong('See also'), ...twoColumns(rows, columns));
  }
  return `${lines.join('\n')}\n`;
}

const positionalRow = (option: CliOption): HelpRow => [`<${option.flag}>`, describeOption(option)];

/** A flag for help and documentation: its spelling and its description. */
export function flagRow(option: CliOption): HelpRow {
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
  const hasDefault = ![undefined, false, true, ''].includes(option.default as string);
  if (hasDefault && !(Array.isArray(option.default) && option.default.length === 0)) {
    notes.push(`default ${String(option.default)}`);
  }
  return notes.length === 0 ? option.description : `${option.description} (${notes.join('; ')})`;
}

/** Rows for the flags of every command. */
export function sharedRows(command: AnyCommand): HelpRow[] {
  return [
    ['--json', 'Print the result as JSON'],
    [`--format <${formatsOf(command).join('|')}>`, 'Choose the output format (default text)'],
    ['-h, --help', 'Show this help'],
  ];
}

/** Commands that are easily confused; the help of each lists the related ones. */
const families: readonly (readonly CliName[])[] = [
  ['find', 'search', 'list'],
  ['list', 'info', 'skills'],
  ['lint', 'validate', 'verify', 'doctor', 'scan', 'report', 'ci'],
  ['show', 'open', 'load', 'outline', 'sources'],
  ['update', 'outdated', 'diff'],
  ['run', 'scripts', 'tools'],
  ['uninstall', 'clean', 'cache'],
  ['publish', 'access', 'yank', 'deprecate', 'verification'],
  ['login', 'logout', 'whoami', 'token', 'owner', 'registry'],
  ['mcp', 'rpc'],
  ['studio', 'stats'],
];

/** Related commands, nearest first. */
export function seeAlso(name: CliName): CliName[] {
  return families
    .filter((family) => family.includes(name))
    .flat()
    .filter((other) => other !== name);
}
