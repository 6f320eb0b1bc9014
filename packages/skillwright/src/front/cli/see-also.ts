// Commands that are easily confused; the help of each lists the related ones.

import type { CliName } from './cli-table.ts';

const families: readonly (readonly CliName[])[] = [
  ['find', 'search', 'list'],
  ['list', 'info', 'skills'],
  ['lint', 'validate', 'verify', 'doctor', 'scan', 'report', 'ci'],
  ['show', 'open', 'load', 'outline', 'sources'],
  ['update', 'outdated', 'diff'],
  ['run', 'scripts', 'tools'],
  ['uninstall', 'clean', 'cache'],
  ['publish', 'access', 'yank', 'deprecate'],
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
