// Tracks the transactions this user began. A repository can contain a journal, and the content it would install.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orUndefined } from '../../../base/diagnostics/index.ts';
import { isThere } from '../../../base/files/index.ts';
import type { Store } from '../../../skill/workspace/index.ts';

const markOf = (id: string, user: Pick<Store, 'cache'>) => join(user.cache, 'transactions', id);

/** Marks a transaction as the user's own. One that cannot be marked is rolled back after a crash. */
export function markTransaction(id: string, user: Pick<Store, 'cache'>): void {
  const mark = markOf(id, user);
  orUndefined(() => {
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, '');
  });
}

/** Whether the user began a transaction. */
export function isOwnTransaction(id: string, user: Pick<Store, 'cache'>): boolean {
  return isThere(markOf(id, user));
}

/** Forgets a transaction that has ended. */
export function forgetTransaction(id: string, user: Pick<Store, 'cache'>): void {
  orUndefined(() => rmSync(markOf(id, user), { force: true }));
}
