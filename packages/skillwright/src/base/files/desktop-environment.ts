// Variables for programs of the user's desktop: keyring and browser.

import type { Environment } from './find-program.ts';

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
