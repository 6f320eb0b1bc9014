import { createHash } from 'node:crypto';
import type { Check } from '../finding.ts';

/** Archives looked at without `--all`. */
const SAMPLE = 200;

/** Every version that is not purged has its archive, and the archive has the bytes its name says. */
export const checkArchives: Check = async ({ database, blobs }, { isThorough }) => {
  const rows = await database.query<{ digest: string; label: string }>(
    `select v.archive_digest as digest, min('@' || o.name || '/' || s.name || '@' || v.version) as label
     from versions v join skills s on s.id = v.skill_id join owners o on o.id = s.owner_id
     where v.purged is null group by v.archive_digest order by max(v.id) desc
     ${isThorough ? '' : `limit ${SAMPLE}`}`,
  );
  const problems: string[] = [];
  for (const { digest, label } of rows) {
    const bytes = await blobs.get(digest);
    if (bytes === undefined) problems.push(`${label} (missing)`);
    else if (digest !== `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
      problems.push(`${label} (damaged)`);
  }
  if (problems.length === 0)
    return [{ check: 'archives', state: 'ok', message: `${rows.length} are there and unchanged` }];
  const shown = problems.slice(0, 10).join(', ');
  const more = problems.length > 10 ? `, and ${problems.length - 10} more` : '';
  return [
    {
      check: 'archives',
      state: 'error',
      message: `${problems.length} of ${rows.length} cannot be served: ${shown}${more}`,
      fix: 'restore a backup into another database and copy them from there, or purge these versions',
    },
  ];
};
