// Opens a web address in the user's browser.

import { desktopEnvironment, findProgram, startChild } from '../../base/files/index.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Programs that open an address, by platform. Each takes the address as its last word. */
const openers: Readonly<Record<string, readonly [program: string, ...words: string[]]>> = {
  linux: ['xdg-open'],
  darwin: ['open'],
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

/**
 * Starts the browser, and does not wait for it. False when there is none, or no screen to show it on. The address must be
 * http or https, or that of a private page, so that it cannot be read as an option or name a program.
 */
export function openBrowser(address: string, env: Variables, platform: string = process.platform): boolean {
  if (!/^https?:\/\/|^file:\/\/\//.test(address)) return false;
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  const [name, ...words] = openers[platform] ?? [];
  const program = name === undefined ? undefined : findProgram(name, env);
  if (program === undefined) return false;
  const child = startChild(program, [...words, address], {
    cwd: '/',
    env: desktopEnvironment(env),
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', () => {});
  child.unref();
  return true;
}
