// Files that scripts of former skill versions wrote.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { quoteWord } from '../../../base/diagnostics/index.ts';
import { anyName, formatBytes, namesIn, walkTree } from '../../../base/files/index.ts';
import { storeAt } from '../../../skill/workspace/index.ts';
import { defineCheck } from '../check.ts';

const UNUSED_MS = 90 * 24 * 60 * 60_000;
const MAX_TOLD = 10;

/** Reports data that has not changed for a long time. It is the user's: `--fix` leaves it alone. */
export const oldData = defineCheck({
  id: 'old-data',
  group: 'left behind',
  summary: 'Scripts left no unused data behind.',
  *find({ context, places }) {
    if (!places.some(({ place }) => place.scope === 'user')) return;
    const root = join(storeAt('user', context.workspace.home).root, 'data');
    const old = namesIn(root, anyName)
      .map((name) => ({ name, ...measure(join(root, name)) }))
      .filter(({ changed }) => context.now().getTime() - changed > UNUSED_MS)
      .sort((a, b) => b.bytes - a.bytes);
    for (const { name, bytes, changed } of old.slice(0, MAX_TOLD)) {
      const path = join(root, name);
      yield {
        severity: 'info',
        subject: path,
        message: `${path} holds ${formatBytes(bytes)}, unchanged since ${new Date(changed).toISOString().slice(0, 10)}`,
        why: "A skill's script wrote it. It may be your work, so skc never removes it.",
        fix: `rm -r ${quoteWord(path)}`,
      };
    }
  },
});

function measure(dir: string): { bytes: number; changed: number } {
  const paths = walkTree(dir).entries.map(({ path }) => join(dir, path));
  const status = [dir, ...paths].flatMap((path) => lstatSync(path, { throwIfNoEntry: false }) ?? []);
  return {
    bytes: status.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0),
    changed: Math.max(0, ...status.map(({ mtimeMs }) => mtimeMs)),
  };
}
