// Leaves that a version needs besides the one of its publication: a public one as soon as everybody may see it.

import { spellAddress } from 'skillwright/registry-protocol';
import { appendLeaves } from '../log/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';

const BATCH = 200;

interface UnloggedVersion {
  readonly id: number;
  readonly skillId: number;
  readonly owner: string;
  readonly name: string;
  readonly version: string;
  readonly document: string;
  readonly archive: string;
  readonly isOpen: boolean;
}

/**
 * Appends the leaves that versions lack: a public one for each approved version of a public skill, and one with a subject for
 * every other. Make it the last step of the change. Returns how many there were.
 */
export async function logVersions(tx: Queryable, registry: Registry, skillId?: number): Promise<number> {
  const rows = await tx.query<UnloggedVersion>(
    `select * from (
       select v.id, s.id as "skillId", o.name as owner, s.name, v.version, v.document_digest as document,
         v.archive_digest as archive, s.visibility = 'public' and v.review = 'approved' as "isOpen"
       from versions v join skills s on s.id = v.skill_id join owners o on o.id = s.owner_id
       where $1::bigint is null or s.id = $1
     ) w where not exists (
       select from log_leaves l join log_origins g on g.generation = l.generation and g.closed_at is null
       where l.version_id = w.id and l.kind = 'version' and (l.salt is null or (not w."isOpen" and l.subject is not null))
     ) order by w.id limit ${BATCH}`,
    [skillId ?? null],
  );
  if (rows.length > 0)
    await appendLeaves(
      tx,
      registry,
      rows.map(({ id, skillId: skill, version, document, archive, isOpen, ...address }) => ({
        entry: { kind: 'version', name: spellAddress(address), version, document, archive },
        isPrivate: !isOpen,
        skillId: skill,
        versionId: id,
      })),
    );
  return rows.length;
}

/** Logs versions that an earlier version of this program logged otherwise. Several processes may run it at once. */
export async function logEarlierVersions(registry: Registry): Promise<number> {
  return registry.database.transaction(async (tx) => {
    await tx.query('select from log_origins where closed_at is null for update');
    return logVersions(tx, registry);
  });
}
