// Appends to the transparency log.

import type { LogEntry } from 'skillwright/registry-protocol';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/database.ts';

/** A leaf to append. */
export interface NewLeaf {
  readonly entry: LogEntry;
  /** Whether the log shows a salted commitment only. */
  readonly isPrivate: boolean;
  readonly skillId?: number | undefined;
  readonly versionId?: number | undefined;
}

/** Appends a leaf in the transaction of the change; returns its index. */
export async function appendLeaf(_tx: Queryable, _registry: Registry, _leaf: NewLeaf): Promise<number> {
  return 0;
}
