// Leaves that a version needs besides the one of its publication: a public one as soon as everybody may see it.

import { spellAddress } from 'skillwright/registry-protocol';
import type { NewLeaf } from '../log/index.ts';
import type { Queryable } from '../store/index.ts';

interface UnloggedVersion {
  readonly versionId: number;
  readonly skillId: number;
  readonly owner: string;
  readonly name: string;
  readonly version: string;
  readonly document: string;
  readonly archive: string;
  readonly isPrivate: boolean;
}

/**
 * The leaves that versions of a skill lack: a public one for each approved version of a public skill, and one with a subject
 * for every other.
 */
export async function missingLeaves(tx: Queryable, skillId: number): Promise<NewLeaf[]> {
  const rows = await tx.query<UnloggedVersion>(
    `select * from (
       select v.id as "versionId", s.id as "skillId", o.name as owner, s.name, v.version, v.document_digest as document,
         v.archive_digest as archive, not (s.visibility = 'public' and v.review = 'approved') as "isPrivate"
       from versions v join skills s on s.id = v.skill_id join owners o on o.id = s.owner_id
       where s.id = $1
     ) w where not exists (
       select from log_leaves l join log_origins g on g.generation = l.generation and g.closed_at is null
       where l.version_id = w."versionId" and l.kind = 'version' and (l.salt is null or (w."isPrivate" and l.subject is not null))
     ) order by w."versionId"`,
    [skillId],
  );
  return rows.map(({ versionId, skillId: skill, isPrivate, owner, name, ...entry }) => ({
    entry: { kind: 'version', name: spellAddress({ owner, name }), ...entry },
    isPrivate,
    skillId: skill,
    versionId,
  }));
}
