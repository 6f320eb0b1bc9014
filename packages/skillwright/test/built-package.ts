// The built package as npm lays it out, in a temporary directory.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from './make-directory.ts';

const home = fileURLToPath(new URL('../', import.meta.url));
const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/** Parts of a built repository that exist. */
export interface Layout {
  /** Parts of the package that skc runs from; the executable is linked, the rest copied. */
  readonly parts: readonly ('dist' | 'native')[];
  /** Modules to leave out, such as the pinned `node`. */
  readonly without?: readonly string[];
}

/** Lays the package out and returns the path of `node_modules/.bin/skc`. */
export function layOut({ parts, without = [] }: Layout): string {
  const root = makeDirectory();
  const copy = join(root, 'packages/skillwright');
  cpSync(join(home, 'bin'), join(copy, 'bin'), { recursive: true });
  cpSync(join(home, 'package.json'), join(copy, 'package.json'));
  if (parts.includes('dist')) cpSync(join(home, 'dist/skc'), join(copy, 'dist/skc'), { recursive: true });
  if (parts.includes('native')) symlinkSync(join(home, 'native'), join(copy, 'native'));
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  const left = new Set(['.bin', 'skillwright', ...without]);
  for (const name of readdirSync(modules).filter((entry) => !left.has(entry)))
    symlinkSync(join(modules, name), join(root, 'node_modules', name));
  symlinkSync('../packages/skillwright', join(root, 'node_modules/skillwright'));
  symlinkSync('../skillwright/bin/skc', join(root, 'node_modules/.bin/skc'));
  return join(root, 'node_modules/.bin/skc');
}

/** The command of this repository. */
export const builtSkc = join(home, 'bin/skc');

/** The executable for this machine. */
export const nativeSkc = join(home, 'native/skc');

/** Whether it was built. Under CI it has to be: tests that need it fail without it. */
export const hasNative = Boolean(process.env.CI) || existsSync(nativeSkc);

/** Result of a run. */
export interface ProcessResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, with its own home directory. */
export function runProcess(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): ProcessResult {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: options.cwd ?? makeDirectory(),
    encoding: 'utf8',
    maxBuffer: 1024 * 1024 * 1024,
    env: { PATH: process.env.PATH, SKC_HOME: '/nonexistent/home', ...options.env },
  });
  return { status, stdout, stderr };
}
