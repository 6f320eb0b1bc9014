// From a command line to an exit code.

import { parseArgs } from 'node:util';
import { SkillwrightError } from 'skillwright/base';
import { Failure, Problem } from '../base/index.ts';
import { readSettings, settingList } from '../settings/index.ts';
import { DatabaseUnavailable } from '../store/index.ts';
import { admin } from './admin.ts';
import { backup, recover, restore } from './backup.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { importCommand } from './import.ts';
import { migrateCommand } from './migrate.ts';
import { moveBlobs } from './move-blobs.ts';
import { serve } from './serve.ts';
import { witness } from './witness.ts';

/** The process around a run. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  out(line: string): void;
  err(line: string): void;
  readonly stop: AbortSignal;
}

/** Runs a command line. Mistakes of the user are one line on the error stream and exit code 1. */
export async function runMain(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const command = commands.find(({ name }) => name === args[0]);
    const { values, positionals } = parseWords(command === undefined ? args : args.slice(1), command);
    if (values.help === true) {
      around.out(renderHelp(command));
      return 0;
    }
    const chosen = command ?? commands[0]!;
    if (command === undefined && positionals.length > 0)
      throw new Problem(
        `there is no command ${positionals[0]}. Commands: ${commands.map(({ name }) => name).join(', ')}`,
      );
    const [least, most] = chosen.words ?? [0, 0];
    if (positionals.length < least || positionals.length > most)
      throw new Problem(`use: skillwright-registry ${chosen.name} ${chosen.usage ?? ''}`.trimEnd());
    const settings = readSettings({
      flags: chosen.hasSettings === false ? {} : values,
      env: around.env,
    });
    return await chosen.run({ settings, words: positionals, flags: values, ...around });
  } catch (error) {
    if (!isExpected(error)) throw error;
    around.err(messageOf(error as NodeJS.ErrnoException));
    return 1;
  }
}

/** The words and flags of a command line; flags are those of the command and the settings. */
export function parseWords(args: readonly string[], command: Command | undefined) {
  const hasSettings = command?.hasSettings ?? true;
  const flags = settingList.map(({ flag, type }) => [
    flag,
    { type: type === 'boolean' ? 'boolean' : 'string' },
  ]);
  const own = Object.entries(command?.flags ?? {}).map(([name, { type }]) => [name, { type }]);
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      ...(Object.fromEntries([...(hasSettings ? flags : []), ...own]) as Record<
        string,
        { type: 'string' | 'boolean' }
      >),
      ...(hasSettings ? { config: { type: 'string' } } : {}),
      help: { type: 'boolean', short: 'h' },
    },
  }) as { values: Record<string, string | boolean | undefined>; positionals: string[] };
}

function isExpected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return (
    error instanceof Problem ||
    error instanceof Failure ||
    error instanceof SkillwrightError ||
    error instanceof DatabaseUnavailable ||
    /^(?:ERR_PARSE_ARGS|E[A-Z]+$)/.test(code)
  );
}

/** Node explains unknown flags at length. */
function messageOf(error: NodeJS.ErrnoException): string {
  const { code, message } = error;
  if (error instanceof SkillwrightError) return `${message}; ${error.nextStep()}`;
  return code?.startsWith('ERR_PARSE_ARGS') === true ? `${message.split('. ')[0]}. See --help` : message;
}

export const commands: readonly Command[] = [
  serve,
  doctor,
  backup,
  restore,
  recover,
  importCommand,
  migrateCommand,
  moveBlobs,
  admin,
  witness,
];

const SETTINGS =
  'Settings, as flags, as variables (--public-url is REGISTRY_PUBLIC_URL), or in a TOML or JSON file (--config):';

/** Help of one command, or of the program. */
function renderHelp(command: Command | undefined): string {
  const title =
    command === undefined
      ? ['skillwright-registry [command] [flags]', '', 'Commands:', ...table(commands.map(commandRow))]
      : [`skillwright-registry ${commandRow(command)[0]}`, '', command.summary];
  const own = Object.entries(command?.flags ?? {}).map(([name, { help }]): Row => [`--${name}`, help]);
  const settings = settingList.map(
    ({ flag, help, usual }): Row => [`--${flag}`, `${help}${usual === '' ? '' : ` [${usual}]`}`],
  );
  return [
    ...title,
    '',
    ...(own.length === 0 ? [] : ['Flags:', ...table(own), '']),
    ...(command?.hasSettings === false ? [] : [SETTINGS, ...table(settings)]),
  ]
    .join('\n')
    .trimEnd();
}

type Row = readonly [string, string];

function commandRow({ name, usage, summary }: Command): Row {
  return [usage === undefined ? name : `${name} ${usage}`, summary];
}

function table(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`.trimEnd());
}
