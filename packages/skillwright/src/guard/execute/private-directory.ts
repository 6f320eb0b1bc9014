// A directory for one run, where a sandbox cannot make one out of nothing.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The directory, the variables that lead a program there, and how it is removed. */
export interface PrivateDirectory {
  readonly path: string;
  readonly variables: Readonly<Record<string, string>>;
  remove(): void;
}

/** Makes an empty directory with a home in it. */
export function makePrivateDirectory(): PrivateDirectory {
  const path = realpathSync.native(mkdtempSync(join(tmpdir(), 'skc-run-')));
  const home = join(path, 'home');
  mkdirSync(home);
  return {
    path,
    variables: { HOME: home, TMPDIR: path },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
