// Adds an entry to the transparency log, in the transaction of the change it records.

import type { LogEntry } from 'skillwright/registry-protocol';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/database.ts';

/** Appends a leaf as the last statement of a transaction. Returns its index. */
export async function appendLeaf(
  _tx: Queryable,
  _registry: Registry,
  _leaf: {
    readonly entry: LogEntry;
    readonly isPrivate: boolean;
    readonly skillId?: number;
    readonly versionId?: number;
  },
): Promise<number> {
  return 0;
}
