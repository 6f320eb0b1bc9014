// The one way a version's state changes: rights, row, skill, audit and log in one transaction.

import { type IndexVersion, type LogEntry, spellAddress } from 'skillwright/registry-protocol';
import { decide, demand, demandRegistryAdmin, notFound } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import {
  indexVersionOf,
  isPublished,
  lockSkill,
  maySeeVersion,
  type SkillRow,
  type VersionRow,
  versionColumns,
} from '../catalog/index.ts';
import type { NewLeaf } from '../log/index.ts';
import type { Queryable } from '../store/index.ts';
import { type Change, change, type Handlers, type OperationCall } from '../work/index.ts';
import { refreshSkills } from './refresh-skill.ts';
import { removeUnusedArchive } from './stored-archive.ts';

type StateEntry = Extract<LogEntry, { kind: 'state' }>;
type StateCall = Pick<OperationCall, 'registry' | 'caller' | 'path'>;

/** A change that was made. */
export interface AppliedChange {
  /** Name in the audit log. */
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Entries of the transparency log; none for changes that are not states. */
  readonly logged?: readonly Pick<StateEntry, 'change' | 'reason'>[];
  /** False for a change that only members see. */
  readonly isPublic?: boolean;
}

/** Someone's request to change a version. */
interface VersionChange {
  /** Fails unless the caller has the right. */
  demand(skill: SkillRow): void;
  /** Changes the row; undefined when nothing is left to do. */
  apply(made: Change, target: { skill: SkillRow; row: VersionRow }): Promise<AppliedChange | undefined>;
}

/** Changes a version, and returns it as it is now. */
export function changeVersion(
  { registry, caller, path }: StateCall,
  { demand, apply }: VersionChange,
): Promise<IndexVersion> {
  return change({ registry, caller }, async (made) => {
    const { tx, note, log } = made;
    const skill = await lockSkill(tx, caller, path);
    const { ownerId, id: skillId, visibility } = skill;
    demand(skill);
    const find = async () =>
      (
        await tx.query<VersionRow>(
          `select ${versionColumns} from versions v where v.skill_id = $1 and v.version = $2`,
          [skillId, path.version],
        )
      )[0];
    const row = await find();
    if (row === undefined || !maySeeVersion(caller, { ...skill, review: row.review })) throw notFound();
    const applied = await apply(made, { skill, row });
    if (applied === undefined) return indexVersionOf(row, registry.now());
    const { action, details, logged = [], isPublic = isPublished(row) } = applied;
    const { version, id: versionId } = row;
    await refreshSkills(tx, registry, [{ ...skill, isPublic }]);
    note(action, { ownerId, skillId, version, details });
    const changed = (await find())!;
    const time = registry.now().toISOString();
    const isPrivate = visibility === 'private' || !isPublished(changed);
    for (const state of logged) {
      const entry = { kind: 'state', name: spellAddress(skill), version, ...state, time } as const;
      log({ entry, isPrivate, skillId, versionId });
    }
    if (isPublished(changed) && !isPublished(row))
      for (const leaf of await missingLeaves(tx, skillId)) log(leaf);
    return indexVersionOf(changed, registry.now());
  });
}

/** States that a reason sets and null undoes: the right they need, and the names of both changes in the two logs. */
const states = {
  yanked: { action: 'publish', set: ['version.yank', 'yanked'], undo: ['version.unyank', 'unyanked'] },
  quarantined: {
    action: 'review',
    set: ['version.quarantine', 'quarantined'],
    undo: ['version.release', 'released'],
  },
} as const;

function setState(call: StateCall, state: keyof typeof states, reason: string | null): Promise<IndexVersion> {
  const { caller } = call;
  const { action: right, set, undo } = states[state];
  return changeVersion(call, {
    demand: (skill) => demand(caller, right, skill),
    async apply({ tx }, { skill: { ownerId }, row }) {
      const { [state]: from, authority, id, published_by } = row;
      if (from === reason) return undefined;
      const asked = { action: right, ownerId, decided: authority[state] };
      const decided = decide(caller, asked, { from, to: reason });
      if (state === 'quarantined' && reason === null && caller.account?.id === published_by)
        throw new Failure('forbidden', 'you published this version; somebody else has to release it');
      await tx.query(
        `update versions set ${state} = $2, authority = authority || jsonb_build_object('${state}', $3::text)
         where id = $1`,
        [id, reason, decided],
      );
      const [action, named] = reason === null ? undo : set;
      return { action, details: { reason }, logged: [{ change: named, reason }] };
    },
  });
}

export const stateOperations = {
  yankVersion: (call) => setState(call, 'yanked', call.body.yanked),
  /** A quarantined version is refused even by its exact number. */
  quarantineVersion: (call) => setState(call, 'quarantined', call.body.quarantined),
  /** Purges a version for good: its bytes go, its digest and its document stay. */
  async purgeVersion(call) {
    const { purged: reason } = call.body;
    const version = await changeVersion(call, {
      demand: () => demandRegistryAdmin(call.caller),
      async apply({ tx }, { row: { id, purged, archive_digest: archive } }) {
        if (purged !== null) return undefined;
        await tx.query('update versions set purged = $2 where id = $1', [id, reason]);
        const logged = [{ change: 'purged', reason }] as const;
        return { action: 'version.purge', details: { reason, archive }, logged };
      },
    });
    await removeUnusedArchive(call.registry, version.archive);
    return version;
  },
} satisfies Partial<Handlers>;

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
