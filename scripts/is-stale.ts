// Tells whether a build is up to date.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

function newestSource(of: string): number {
  const sources = readdirSync(join(of, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const paths = [
    ...sources.map((path) => join(of, 'src', path)),
    join(of, 'package.json'),
    join(of, 'tsconfig.json'),
  ];
  return Math.max(...paths.map((path) => statSync(path).mtimeMs));
}

/** Whether a file is missing, or older than the sources of the package in `of`. */
export function isStale(output: string, of: string): boolean {
  return (statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0) < newestSource(of);
}
