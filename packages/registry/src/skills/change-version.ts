// The one way a version's state changes: rights, row, skill, audit and log in one transaction.

import { type IndexVersion, type LogEntry, spellAddress } from 'skillwright/registry-protocol';
import { type Caller, decidedBy, demand, demandUndo, notFound, record } from '../access/index.ts';
import {
  indexVersionOf,
  isPublished,
  lockSkill,
  maySeeVersion,
  type SkillRow,
  type VersionRow,
  versionColumns,
} from '../catalog/index.ts';
import { appendLeaf } from '../log/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import type { VersionAddress } from './admit-publication.ts';
import { logVersions } from './log-versions.ts';
import { refreshSkill } from './refresh-skill.ts';

type StateEntry = Extract<LogEntry, { kind: 'state' }>;

/** A change that was made. */
export interface AppliedChange {
  /** Name in the audit log. */
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Entries of the transparency log; none for changes that are not states. */
  readonly logged: readonly { readonly change: StateEntry['change']; readonly reason: string | null }[];
  /** False for a change that only members see. */
  readonly isPublic?: boolean;
}

/** Someone's request to change a version. */
interface VersionChange {
  /** Fails unless the caller has the right. */
  demand(skill: SkillRow): void;
  /** Changes the row; undefined when nothing is left to do. */
  apply(tx: Queryable, target: { skill: SkillRow; row: VersionRow }): Promise<AppliedChange | undefined>;
}

/** Changes a version, and returns it as it is now. */
export async function changeVersion(
  registry: Registry,
  caller: Caller,
  { address, demand, apply }: VersionChange & { readonly address: VersionAddress },
): Promise<IndexVersion> {
  return registry.database.transaction(async (tx) => {
    const skill = await lockSkill(tx, caller, address);
    demand(skill);
    const row = await findVersion(tx, { skillId: skill.id, version: address.version });
    if (row === undefined || !maySeeVersion(caller, { ...skill, review: row.review })) throw notFound();
    const applied = await apply(tx, { skill, row });
    if (applied === undefined) return indexVersionOf(row, registry.now());
    const { action, details, logged, isPublic = isPublished(row) } = applied;
    await refreshSkill(tx, registry, skill, { isPublic });
    const { ownerId, id: skillId } = skill;
    await record(tx, caller, { action, ownerId, skillId, version: row.version, details });
    const changed = await findVersion(tx, { skillId, version: row.version });
    const time = registry.now().toISOString();
    for (const { change, reason } of logged)
      await appendLeaf(tx, registry, {
        entry: { kind: 'state', name: spellAddress(skill), version: row.version, change, reason, time },
        isPrivate: skill.visibility === 'private' || !isPublished(changed!),
        skillId,
        versionId: row.id,
      });
    if (isPublished(changed!) && !isPublished(row)) await logVersions(tx, registry, skillId);
    return indexVersionOf(changed!, registry.now());
  });
}

async function findVersion(
  tx: Queryable,
  { skillId, version }: { skillId: number; version: string },
): Promise<VersionRow | undefined> {
  const [row] = await tx.query<VersionRow>(
    `select ${versionColumns} from versions v where v.skill_id = $1 and v.version = $2`,
    [skillId, version],
  );
  return row;
}

/** Yanks a version with a reason; null undoes that. */
export function yankVersion(
  registry: Registry,
  caller: Caller,
  { yanked, ...address }: VersionAddress & { readonly yanked: string | null },
): Promise<IndexVersion> {
  return changeVersion(registry, caller, {
    address,
    demand: (skill) => demand(caller, 'publish', skill),
    async apply(tx, { skill: { ownerId }, row }) {
      const right = { action: 'publish', ownerId } as const;
      if (row.yanked === yanked) return undefined;
      const decided = decidedBy(caller, right);
      if (row.yanked !== null && (yanked === null || decided === null))
        demandUndo(caller, { ...right, decided: row.authority.yanked });
      await tx.query(
        `update versions set yanked = $2, authority = authority || jsonb_build_object('yanked', $3::text) where id = $1`,
        [row.id, yanked, decided],
      );
      return {
        action: yanked === null ? 'version.unyank' : 'version.yank',
        details: { reason: yanked },
        logged: [{ change: yanked === null ? 'unyanked' : 'yanked', reason: yanked }],
      };
    },
  });
}
