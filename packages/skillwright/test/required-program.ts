// Programs some tests drive. A test without its program says so; under CI it fails.

import { spawnSync } from 'node:child_process';
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
  chromium: 'chromium',
};

/** Language to the Debian package with a font for it: without one, Chromium draws boxes. */
export const requiredFonts: Readonly<Record<string, string>> = { zh: 'fonts-noto-cjk' };

/** Whether a font for the language is installed. */
export function hasFont(language: string): boolean {
  return spawnSync('fc-list', [`:lang=${language}`], { encoding: 'utf8' }).stdout?.trim() !== '';
}

/** Ends the test here when the program is not installed: skipped with the reason, or failed under CI. */
export function requireProgram(context: TestContext, program: keyof typeof requiredPrograms): void {
  if (spawnSync('which', [program], { stdio: 'ignore' }).status === 0) return;
  const reason = `${program} is not installed`;
  if (process.env.CI) throw new Error(reason);
  context.skip(reason);
}
