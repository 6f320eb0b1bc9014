// Where a program is, without running anything.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The file that a program's name means on the PATH; undefined when there is none. Only plain names are looked for. */
export function findProgram(name: string, env: Environment): string | undefined {
  if (!isPlain(name)) return undefined;
  const path = pathIn(env);
  const endings = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : [''];
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
export const isPathGiven = (env: Environment): boolean => pathIn(env) !== '';

/** Windows spells the variable as it likes. */
function pathIn(env: Environment): string {
  return Object.entries(env).find(([variable]) => variable.toUpperCase() === 'PATH')?.[1] ?? '';
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
  return Object.fromEntries(passedOn.map((name) => [name, env[name]]));
}
