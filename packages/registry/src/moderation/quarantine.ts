// Quarantine and purge. A quarantined version is refused even by its exact number; a purged one has no bytes left.

import type { IndexVersion } from 'skillwright/registry-protocol';
import { type Caller, decidedBy, demand, demandRegistryAdmin, demandUndo } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { changeVersion, removeUnusedArchive, type VersionAddress } from '../skills/index.ts';

/** Quarantines a version with a reason; null releases it. */
export function quarantineVersion(
  registry: Registry,
  caller: Caller,
  { quarantined, ...address }: VersionAddress & { readonly quarantined: string | null },
): Promise<IndexVersion> {
  return changeVersion(registry, caller, {
    address,
    demand: (skill) => demand(caller, 'review', skill),
    async apply(tx, { skill: { ownerId }, row }) {
      const right = { action: 'review', ownerId } as const;
      if (row.quarantined === quarantined) return undefined;
      const decided = decidedBy(caller, right);
      // The registry may make a quarantine of the namespace its own.
      if (row.quarantined !== null && (quarantined === null || decided === null))
        demandUndo(caller, { ...right, decided: row.authority.quarantined });
      if (quarantined === null && caller.account?.id === row.published_by)
        throw new Failure('forbidden', 'you published this version; somebody else has to release it');
      await tx.query(
        `update versions set quarantined = $2, authority = authority || jsonb_build_object('quarantined', $3::text)
         where id = $1`,
        [row.id, quarantined, decided],
      );
      return {
        action: quarantined === null ? 'version.release' : 'version.quarantine',
        details: { reason: quarantined },
        logged: [{ change: quarantined === null ? 'released' : 'quarantined', reason: quarantined }],
      };
    },
  });
}

/** Purges a version for good: its bytes go, its digest and its document stay. */
export async function purgeVersion(
  registry: Registry,
  caller: Caller,
  { purged, ...address }: VersionAddress & { readonly purged: string },
): Promise<IndexVersion> {
  const version = await changeVersion(registry, caller, {
    address,
    demand: () => demandRegistryAdmin(caller),
    async apply(tx, { row }) {
      if (row.purged !== null) return undefined;
      await tx.query('update versions set purged = $2 where id = $1', [row.id, purged]);
      return {
        action: 'version.purge',
        details: { reason: purged, archive: row.archive_digest },
        logged: [{ change: 'purged', reason: purged }],
      };
    },
  });
  await removeUnusedArchive(registry, version.archive);
  return version;
}

/** Removes bytes that a purge left behind because the process ended in between. */
export async function finishPurges(registry: Registry): Promise<void> {
  const rows = await registry.database.query<{ digest: string }>(
    'select distinct archive_digest as digest from versions where purged is not null',
  );
  for (const { digest } of rows) await removeUnusedArchive(registry, digest);
}
