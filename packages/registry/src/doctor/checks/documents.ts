import { type Check, failing, firstTen, ok } from '../finding.ts';

/** Versions looked at without `--all`, newest first. */
const SAMPLE = 200;

/** The document of every version has the digest that was promised, and the log says the same. */
export const checkDocuments: Check = async ({ database }, { isThorough }) => {
  const rows = await database.query<{ label: string; isChanged: boolean; isOther: boolean }>(
    `select '@' || o.name || '/' || s.name || '@' || v.version as label,
       v.document_digest <> 'sha256:' || encode(sha256(convert_to(v.document, 'UTF8')), 'hex') as "isChanged",
       exists (select from log_leaves l where l.version_id = v.id and l.kind = 'version'
         and (l.entry::jsonb->>'document' <> v.document_digest or l.entry::jsonb->>'archive' <> v.archive_digest)) as "isOther"
     from versions v join skills s on s.id = v.skill_id join owners o on o.id = s.owner_id
     order by v.id desc ${isThorough ? '' : `limit ${SAMPLE}`}`,
  );
  const wrong = rows.filter(({ isChanged, isOther }) => isChanged || isOther);
  if (wrong.length === 0) return [ok('documents', `${rows.length} agree with their digests and the log`)];
  const shown = firstTen(
    wrong.map(({ label, isChanged }) => `${label} (${isChanged ? 'changed' : 'another one is in the log'})`),
  );
  const message = `${wrong.length} of ${rows.length} versions are not as they were published: ${shown}`;
  const fix = 'clients refuse them: stop the registry and restore a backup, or quarantine these versions';
  return [failing('documents', message, fix)];
};
