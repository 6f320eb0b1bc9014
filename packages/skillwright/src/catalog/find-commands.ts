// Whether commands are there to be run, without running anything.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** True when a command of this name is on the PATH. */
export type CommandFinder = (command: string) => boolean;

/** Makes a finder that looks for each command once. */
export function createCommandFinder(env: Readonly<Record<string, string | undefined>>): CommandFinder {
  // Windows spells the variable as it likes.
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  // A relative directory would make the answer depend on where one stands.
  const directories = path.split(delimiter).filter((directory) => isAbsolute(directory));
  const endings = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  const known = new Map<string, boolean>();
  return (command) => {
    const before = known.get(command);
    if (before !== undefined) return before;
    const isThere =
      isPlain(command) &&
      directories.some((directory) =>
        endings.some((ending) => isExecutable(join(directory, command + ending))),
      );
    known.set(command, isThere);
    return isThere;
  };
}

function isPlain(command: string): boolean {
  return command !== '' && !/[\\/\0]/.test(command) && command !== '.' && command !== '..';
}

function isExecutable(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
