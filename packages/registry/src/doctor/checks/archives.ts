import { digestOf } from '../../base/index.ts';
import type { Registry } from '../../registry.ts';
import { type Check, failing, firstTen, ok, warning } from '../finding.ts';

/** Archives looked at without `--all`. */
const SAMPLE = 200;

/** An archive that cannot be served. */
interface BrokenArchive {
  readonly digest: string;
  /** `@owner/name@version`. */
  readonly label: string;
  readonly why: 'missing' | 'damaged';
}

/** Looks at the archives of versions that are not purged. */
export async function findBrokenArchives(
  { database, blobs }: Registry,
  { isThorough }: { readonly isThorough: boolean },
): Promise<{ readonly broken: readonly BrokenArchive[]; readonly looked: number }> {
  const rows = await database.query<{ digest: string; label: string }>(
    `select v.archive_digest as digest, min('@' || o.name || '/' || s.name || '@' || v.version) as label
     from versions v join skills s on s.id = v.skill_id join owners o on o.id = s.owner_id
     where v.purged is null group by v.archive_digest order by max(v.id) desc
     ${isThorough ? '' : `limit ${SAMPLE}`}`,
  );
  const broken: BrokenArchive[] = [];
  for (const { digest, label } of rows) {
    const bytes = await blobs.get(digest);
    if (bytes === undefined) broken.push({ digest, label, why: 'missing' });
    else if (digest !== digestOf(bytes)) broken.push({ digest, label, why: 'damaged' });
  }
  return { broken, looked: rows.length };
}

/** Every version that is not purged has its archive, and the archive has the bytes its name says. */
export const checkArchives: Check = async (registry, options) => {
  const { broken, looked } = await findBrokenArchives(registry, options);
  if (broken.length === 0) return [ok('archives', `${looked} are there and unchanged`)];
  const shown = firstTen(broken.map(({ label, why }) => `${label} (${why})`));
  const fix =
    'put them back from a backup: skillwright-registry doctor --repair <file.tar>; or purge these versions';
  return [failing('archives', `${broken.length} of ${looked} cannot be served: ${shown}`, fix)];
};

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
  if (orphans.length === 0) return [ok('orphans', 'every archive belongs to a version')];
  const shown = firstTen(orphans.map((digest) => digest.slice(0, 'sha256:'.length + 12)));
  const fix = 'remove them: skillwright-registry doctor --tidy';
  return [warning('orphans', `no version uses ${orphans.length} of the archives: ${shown}`, fix)];
};
