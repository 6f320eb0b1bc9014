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

/** Replaces the roles of an account in a namespace, and notes it. */
export async function changeRoles(
  tx: Queryable,
  change: Omit<OwnerChange, 'action' | 'change'>,
): Promise<void> {
  const { owner, account, roles } = change;
  await tx.query(
    'delete from roles r using accounts a where r.owner_id = $1 and a.id = r.account_id and a.name = $2',
    [owner.id, account],
  );
  await tx.query(
    `insert into roles (owner_id, account_id, role)
     select $1, a.id, role from accounts a, unnest($3::text[]) as role where a.name = $2`,
    [owner.id, account, roles],
  );
  await noteOwnerChange(tx, { ...change, action: 'owner.member', change: 'member' });
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
