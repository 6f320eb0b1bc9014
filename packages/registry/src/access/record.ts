// The audit log. Feed and webhooks are made from it: a change and the deliveries it causes commit together.

import { json, type Queryable } from '../store/index.ts';
import type { Caller } from './caller.ts';

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
  await recordAll(tx, caller, [deed]);
}

/** Writes several rows in one statement. */
export async function recordAll(tx: Queryable, caller: Caller, deeds: readonly Deed[]): Promise<void> {
  await tx.query(
    `with deed as (
       insert into audit (account_id, actor, via, action, owner_id, skill_id, version, details)
       select $1::bigint, $2::text, $3::text, d.action, d.owner_id, d.skill_id, d.version, d.details
       from jsonb_to_recordset($4::jsonb) as d(at int, action text, owner_id bigint, skill_id bigint, version text, details jsonb)
       order by d.at returning id, owner_id, action
     )
     insert into deliveries (webhook_id, audit_id)
     select w.id, d.id from deed d join webhooks w on w.owner_id = d.owner_id
     where w.disabled is null and split_part(d.action, '.', 1) in ('version', 'skill', 'advisory', 'owner')`,
    [
      caller.account?.id ?? null,
      caller.account?.name ?? caller.via,
      caller.via,
      json(
        deeds.map(({ action, ownerId, skillId, version, details = {} }, at) => ({
          at,
          action,
          owner_id: ownerId ?? null,
          skill_id: skillId ?? null,
          version: version ?? null,
          details,
        })),
      ),
    ],
  );
}
