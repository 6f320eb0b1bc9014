// Skips, on Windows, the tests that cannot pass there or under Wine. Each has its reason in skipped-tests.json: reason to file
// to names; `name*` stands for all that begin with it.

import { readFileSync } from 'node:fs';
import { beforeEach } from 'vitest';

type Table = Record<string, Record<string, string[]>>;

const table: Table = JSON.parse(readFileSync(new URL('skipped-tests.json', import.meta.url), 'utf8'));

/** The reason to skip a test of a file below `packages/skillwright/src`; undefined to run it. */
export function reasonToSkip(file: string, name: string): string | undefined {
  const isMeant = (entry: string) =>
    entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry;
  return Object.keys(table).find((reason) => table[reason]![file]?.some(isMeant));
}

beforeEach(({ task, skip }) => {
  const file = task.file.filepath.replaceAll('\\', '/').replace(/^.*\/packages\/skillwright\/src\//, '');
  const names = [task.name];
  for (let { suite } = task; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  const reason = reasonToSkip(file, names.join(' > '));
  if (reason !== undefined) skip(reason);
});
