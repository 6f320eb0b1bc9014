// An installed skill inside a repository ignores itself: it is restored from the lock, and skills written by hand
// in the same store are not touched.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import { readRegularFile } from '../../../base/files/index.ts';
import { ignoresInstalled } from '../../../skill/workspace/index.ts';
import type { InstallPlace } from './install-place.ts';

const TEXT = '# Restored by skc install\n*\n';

/** Makes git ignore the directory of a skill about to be installed, if configured. */
export function ignoreInstalled(dir: string, { store }: InstallPlace): void {
  if (ignoresInstalled(store)) writeFileSync(join(dir, '.gitignore'), TEXT);
}

/** True for the `.gitignore` that skc wrote. */
export function isOwnIgnore(path: string): boolean {
  return attempt(() => readRegularFile(path, { maxBytes: TEXT.length })?.toString('utf8')) === TEXT;
}
