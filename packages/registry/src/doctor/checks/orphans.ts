import type { Registry } from '../../registry.ts';
import { type Check, firstTen } from '../finding.ts';

/** Keys asked about in one statement. */
const BATCH = 1000;

/** Digests of archives that no version uses, or only purged ones: left by a process that was killed. */
export async function findOrphans({ database, blobs }: Registry): Promise<readonly string[]> {
  // Keys come before rows: an archive is written before its version is visible.
  const digests = new Set<string>();
  for await (const key of blobs.keys()) digests.add(key.replace(/\..*$/, ''));
  const all = [...digests].sort();
  const orphans: string[] = [];
  for (let at = 0; at < all.length; at += BATCH) {
    const rows = await database.query<{ digest: string }>(
      `select k.digest from unnest($1::text[]) as k (digest)
       where not exists (select from versions v where v.archive_digest = k.digest and v.purged is null)`,
      [all.slice(at, at + BATCH)],
    );
    orphans.push(...rows.map(({ digest }) => digest));
  }
  return orphans.sort();
}

/** Every archive belongs to a version. */
export const checkOrphans: Check = async (registry) => {
  const orphans = await findOrphans(registry);
  if (orphans.length === 0)
    return [{ check: 'orphans', state: 'ok', message: 'every archive belongs to a version' }];
  const shown = firstTen(orphans.map((digest) => digest.slice(0, 'sha256:'.length + 12)));
  return [
    {
      check: 'orphans',
      state: 'warning',
      message: `no version uses ${orphans.length} of the archives: ${shown}`,
      fix: 'remove them: skillwright-registry doctor --tidy',
    },
  ];
};
