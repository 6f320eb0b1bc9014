// Yanked versions are installed by their exact version only, with the reason shown.

import type { IndexVersion } from 'skillwright/registry-protocol';
import { type Caller, demand } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import type { VersionAddress } from './admit-publication.ts';
import { changeVersion } from './change-version.ts';

/** Yanks a version with a reason; null undoes that. */
export function yankVersion(
  registry: Registry,
  caller: Caller,
  { yanked, ...address }: VersionAddress & { readonly yanked: string | null },
): Promise<IndexVersion> {
  return changeVersion(registry, caller, {
    address,
    demand: (skill) => demand(caller, 'publish', skill),
    async apply(tx, { row }) {
      if (row.yanked === yanked) return undefined;
      await tx.query('update versions set yanked = $2 where id = $1', [row.id, yanked]);
      return {
        action: yanked === null ? 'version.unyank' : 'version.yank',
        details: { reason: yanked },
        logged: [{ change: yanked === null ? 'unyanked' : 'yanked', reason: yanked }],
      };
    },
  });
}
