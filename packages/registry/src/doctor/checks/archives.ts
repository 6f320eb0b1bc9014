import { digestOf } from '../../base/index.ts';
import type { Registry } from '../../registry.ts';
import { type Check, firstTen } from '../finding.ts';

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
  if (broken.length === 0)
    return [{ check: 'archives', state: 'ok', message: `${looked} are there and unchanged` }];
  const shown = firstTen(broken.map(({ label, why }) => `${label} (${why})`));
  return [
    {
      check: 'archives',
      state: 'error',
      message: `${broken.length} of ${looked} cannot be served: ${shown}`,
      fix: 'put them back from a backup: skillwright-registry doctor --repair <file.tar>; or purge these versions',
    },
  ];
};
