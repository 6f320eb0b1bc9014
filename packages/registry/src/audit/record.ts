// The audit log. Feed and webhooks are made from it: a change and the deliveries it causes commit together.

import type { Caller } from '../access/caller.ts';
import { json, type Queryable } from '../store/database.ts';

/** Something an account did. */
export interface Deed {
  /** Noun and verb: `version.publish`, `token.revoke`. */
  readonly action: string;
  readonly ownerId?: number | undefined;
  readonly skillId?: number | undefined;
  readonly version?: string | undefined;
  /** Never a secret. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Writes a row in the transaction of the change itself. */
export async function record(tx: Queryable, caller: Caller, deed: Deed): Promise<void> {
  await tx.query(
    `with deed as (
       insert into audit (account_id, actor, via, action, owner_id, skill_id, version, details)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb) returning id, owner_id, action
     )
     insert into deliveries (webhook_id, audit_id)
     select w.id, d.id from deed d join webhooks w on w.owner_id = d.owner_id
     where w.disabled is null and split_part(d.action, '.', 1) in ('version', 'skill', 'advisory', 'owner')`,
    [
      caller.account?.id ?? null,
      caller.account?.name ?? caller.via,
      caller.via,
      deed.action,
      deed.ownerId ?? null,
      deed.skillId ?? null,
      deed.version ?? null,
      json(deed.details ?? {}),
    ],
  );
}
