// Opens a web address or a page of our own in the user's browser.

import { pathToFileURL } from 'node:url';
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
 * http or https, so that it cannot be read as an option, or name a file or a program.
 */
export function openBrowser(address: string, env: Variables, platform: string = process.platform): boolean {
  return /^https?:\/\//.test(address) && startOpener(address, env, platform);
}

/** Like {@link openBrowser}, with a file that this process wrote. */
export function openPage(file: string, env: Variables): boolean {
  return startOpener(pathToFileURL(file).href, env, process.platform);
}

function startOpener(address: string, env: Variables, platform: string): boolean {
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
