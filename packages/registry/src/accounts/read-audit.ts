// Reads the audit log, newest first.

import type { AuditPage, AuditQuery } from 'skillwright/registry-protocol';
import { type Caller, demandRegistryAdmin, may } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import { queryMessages } from '../store/index.ts';

/** One page of the log. Administrators of the registry read all of it, those of a namespace what happened in it. */
export async function readAudit(
  { database }: Registry,
  caller: Caller,
  { account, owner, action, cursor, limit }: AuditQuery,
): Promise<AuditPage> {
  const [namespace] = await database.query<{ id: number }>('select id from owners where name = $1', [
    owner ?? null,
  ]);
  if (namespace === undefined || !may(caller, 'manage', { ownerId: namespace.id }))
    demandRegistryAdmin(caller);
  const rows = await queryMessages<AuditPage['entries'][number]>(
    database,
    `select u.id, u.at as time, u.actor as account, u.via, u.action, o.name as owner, s.name as skill, u.version, u.details
     from audit u left join skills s on s.id = u.skill_id left join owners o on o.id = coalesce(u.owner_id, s.owner_id)
     where ($1::text is null or u.account_id = (select id from accounts where name = $1))
       and ($2::text is null or u.owner_id = $3)
       and ($4::text is null or u.action = $4 or starts_with(u.action, $4 || '.'))
       and ($5::bigint is null or u.id < $5)
     order by u.id desc limit $6`,
    [
      account ?? null,
      owner ?? null,
      namespace?.id ?? null,
      action ?? null,
      cursor === undefined ? null : Number(cursor),
      limit + 1,
    ],
  );
  const shown = rows.slice(0, limit);
  return { entries: shown, next: rows.length > limit ? String(shown.at(-1)!.id) : null };
}
