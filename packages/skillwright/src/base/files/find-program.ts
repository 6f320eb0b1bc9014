// Where a program is, without running anything.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The file that a program's name means on the PATH; undefined when there is none. Only plain names are looked for. */
export function findProgram(
  name: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (!isPlain(name)) return undefined;
  const path = variableIn(env, 'PATH') ?? '';
  const endings = platform === 'win32' ? endingsFor(name, env) : [''];
  for (const directory of path.split(delimiter)) {
    // A relative directory would make the answer depend on where one stands.
    if (!isAbsolute(directory)) continue;
    for (const ending of endings) {
      const file = join(directory, name + ending);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** Whether there is a PATH at all: without one, nothing can be said about what is installed. */
export const isPathGiven = (env: Environment): boolean => (variableIn(env, 'PATH') ?? '') !== '';

/** A variable by its name. Windows spells `PATH` as it likes, and copies of its environment tell letters apart. */
export function variableIn(env: Environment, name: string): string | undefined {
  return env[name] ?? Object.entries(env).find(([other]) => other.toUpperCase() === name.toUpperCase())?.[1];
}

/**
 * What Windows runs has one of these endings. Beside `npm.cmd` there is an `npm` for other systems, so a name without an
 * ending is never the file.
 */
function endingsFor(name: string, env: Environment): string[] {
  const endings = (variableIn(env, 'PATHEXT') ?? '.EXE;.CMD;.BAT')
    .split(';')
    .filter((ending) => ending !== '');
  const isWhole = endings.some((ending) => name.toUpperCase().endsWith(ending.toUpperCase()));
  return isWhole ? [''] : endings;
}

function isPlain(name: string): boolean {
  return name !== '' && !/[\\/\0]/.test(name) && name !== '.' && name !== '..';
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

const passedOn: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_DATA_DIRS',
  'XDG_CURRENT_DESKTOP',
  'XDG_SESSION_TYPE',
  'DBUS_SESSION_BUS_ADDRESS',
  'BROWSER',
  'SystemRoot',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
];

/** The variables such a program needs. Tokens of the environment are not among them. */
export function desktopEnvironment(env: Environment): Environment {
  return Object.fromEntries(passedOn.map((name) => [name, variableIn(env, name)]));
}
