// Every change of a namespace goes to the audit log and to the transparency log.

import type { LogEntry, Role } from 'skillwright/registry-protocol';
import { type Caller, record } from '../access/index.ts';
import { appendLeaf } from '../log/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import type { OwnerRow } from './find-owner.ts';

/** A change to note, in the transaction that makes it. */
interface OwnerChange {
  readonly registry: Registry;
  readonly caller: Caller;
  readonly owner: Pick<OwnerRow, 'id' | 'name'>;
  readonly action: string;
  readonly change: Extract<LogEntry, { kind: 'owner' }>['change'];
  readonly account: string;
  readonly roles: readonly Role[];
}

/** Members are shown to members only, so the log commits to them without naming them. */
export async function noteOwnerChange(
  tx: Queryable,
  { registry, caller, owner, action, change, account, roles }: OwnerChange,
): Promise<void> {
  await record(tx, caller, { action, ownerId: owner.id, details: { account, roles } });
  await appendLeaf(tx, registry, {
    entry: {
      kind: 'owner',
      owner: owner.name,
      change,
      account,
      roles: [...roles],
      time: registry.now().toISOString(),
    },
    isPrivate: true,
  });
}
