// Writes into the transparency log.

import { randomBytes } from 'node:crypto';
import { LogEntry } from 'skillwright/registry-protocol';
import {
  appendLeaf as growTree,
  hashLeaf,
  leafOf,
  MAX_ENTRY_BYTES,
  SALT_BYTES,
  spellEntry,
} from 'skillwright/transparency-log';
import { Failure } from '../app/failure.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/database.ts';
import { growOrigin } from './log-origin.ts';
import { INSERT_HASHES, readStoredHashes, spellHashes } from './stored-hashes.ts';

/** An entry for the log. */
export interface NewLeaf {
  readonly entry: LogEntry;
  /** Whether the leaf is a salted commitment. Entries about owners always are: they name accounts. */
  readonly isPrivate: boolean;
  readonly skillId?: number | undefined;
  readonly versionId?: number | undefined;
}

/**
 * Appends a leaf in the transaction of the change it records, and returns its index. Make it the last step: other
 * transactions that append wait until this one ends.
 */
export async function appendLeaf(tx: Queryable, registry: Registry, leaf: NewLeaf): Promise<number> {
  const entry = LogEntry.parse(leaf.entry);
  const salt = leaf.isPrivate || entry.kind === 'owner' ? randomBytes(SALT_BYTES) : null;
  const bytes = leafOf({ entry, salt });
  if (bytes.length > MAX_ENTRY_BYTES) throw new Failure('too_large', 'the entry is too long for the log');
  const { generation, size } = await growOrigin(tx, registry);
  const index = size - 1;
  const hashes = await growTree(index, hashLeaf(bytes), readStoredHashes(tx, generation));
  await tx.query(
    `with leaf as (
       insert into log_leaves (generation, index, kind, leaf, entry, salt, skill_id, version_id)
       values ($1, $3, $4, $5, $6, $7, $8, $9)
     ) ${INSERT_HASHES}`,
    [
      generation,
      spellHashes(hashes),
      index,
      entry.kind,
      bytes,
      Buffer.from(spellEntry(entry)).toString(),
      salt,
      leaf.skillId ?? null,
      leaf.versionId ?? null,
    ],
  );
  return index;
}
