// The text of --help.

import { settingList } from '../settings/index.ts';
import type { Command } from './command.ts';
import { commands } from './command-list.ts';

const SETTINGS =
  'Settings, as flags, as variables (--public-url is REGISTRY_PUBLIC_URL), or in a TOML or JSON file (--config):';

/** Help of one command, or of the program. */
export function renderHelp(command: Command | undefined): string {
  const title =
    command === undefined
      ? ['skillwright-registry [command] [flags]', '', 'Commands:', ...table(commands.map(describe))]
      : [`skillwright-registry ${describe(command)[0]}`, '', command.summary];
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

function describe({ name, usage, summary }: Command): Row {
  return [usage === undefined ? name : `${name} ${usage}`, summary];
}

function table(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`.trimEnd());
}
