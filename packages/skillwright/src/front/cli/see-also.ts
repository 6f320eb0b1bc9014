// Commands that are easily mistaken for each other: the help of one names the others.

import type { CliName } from './cli-table.ts';

const families: readonly (readonly CliName[])[] = [
  ['find', 'search', 'trawl'],
  ['list', 'skills', 'roots', 'info'],
  ['lint', 'validate', 'verify', 'doctor', 'scan', 'ci'],
  ['show', 'open', 'load', 'outline', 'sources'],
  ['update', 'outdated', 'diff'],
  ['run', 'scripts', 'tools'],
  ['uninstall', 'clean', 'cache'],
  ['mcp', 'rpc'],
];

/** The commands to know besides this one, nearest first. */
export function seeAlso(name: CliName): CliName[] {
  return families
    .filter((family) => family.includes(name))
    .flat()
    .filter((other) => other !== name);
}
