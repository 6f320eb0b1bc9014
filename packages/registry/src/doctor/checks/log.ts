import { isSameHash, openCheckpoint, rootOf } from 'skillwright/transparency-log';
import {
  highWaterFile,
  type LogOrigin,
  logSigner,
  openOrigin,
  readHighWater,
  readStoredHashes,
} from '../../log/index.ts';
import type { Registry } from '../../registry.ts';
import { type Check, failing, ok, warning } from '../finding.ts';

/** Checkpoints and leaves looked at without `--all`, newest first. */
const SAMPLE = 200;

/** The log agrees with everything it signed, its leaves with its hashes, and every version has its leaf. */
export const checkLog: Check = async (registry, { isThorough }) => {
  const { database } = registry;
  const { key, open } = await database.transaction(async (tx) => ({
    key: await logSigner(tx, registry),
    open: await openOrigin(tx, registry),
  }));
  const problems = [
    ...(await checkpointProblems(registry, { open, key, isThorough })),
    ...(await leafProblems(registry, { open, isThorough })),
  ];
  const findings = problems.map((message) =>
    failing(
      'log',
      message,
      'stop the registry and restore a backup: clients refuse a log that contradicts itself',
    ),
  );
  const missing = await database.query<{ label: string; total: number }>(
    `select '@' || o.name || '/' || s.name || '@' || v.version as label, count(*) over () as total
     from versions v join skills s on s.id = v.skill_id join owners o on o.id = s.owner_id
     where not exists (select from log_leaves l where l.version_id = v.id and l.kind = 'version' and l.generation = $1)
     order by v.id limit 10`,
    [open.generation],
  );
  if (missing.length > 0)
    findings.push(
      failing(
        'log',
        `${missing[0]!.total} versions are not in the log: ${missing.map(({ label }) => label).join(', ')}`,
        'clients that pin the log refuse them: publish them again under a new version',
      ),
    );
  if (findings.length > 0) return findings;
  if (highWaterFile(registry) === undefined)
    findings.push(
      warning(
        'log',
        'a database that is set back while no process runs would not be noticed here',
        'set --log-memory to a file outside the database, one for all processes',
      ),
    );
  return [...findings, ok('log', `${open.origin}: ${open.size} leaves agree with what was signed`)];
};

async function checkpointProblems(
  registry: Registry,
  {
    open,
    key,
    isThorough,
  }: {
    readonly open: LogOrigin;
    readonly key: Awaited<ReturnType<typeof logSigner>>;
    readonly isThorough: boolean;
  },
): Promise<string[]> {
  const { database } = registry;
  const rows = await database.query<{ size: number; root: Uint8Array; note: string }>(
    `select size, root, note from log_checkpoints where generation = $1 order by size desc
     ${isThorough ? '' : `limit ${SAMPLE}`}`,
    [open.generation],
  );
  const highest = readHighWater(registry, key);
  const signed = rows.map((row) => ({ ...row, ...openCheckpoint(row.note, { key }), stored: row.root }));
  const known = highest?.origin === open.origin ? [...signed, { ...highest, stored: highest.root }] : signed;
  const read = readStoredHashes(database, open.generation);
  const problems: string[] = [];
  for (const { origin, size, root, stored } of known) {
    const isRight =
      origin === open.origin &&
      size <= open.size &&
      isSameHash(root, stored) &&
      isSameHash(root, await rootOf(size, read).catch(() => new Uint8Array(root.length)));
    if (!isRight) problems.push(`the signed checkpoint of ${size} leaves is not a part of the log`);
  }
  return [...new Set(problems)];
}

/** Leaves and inner nodes whose stored hash is not the one of RFC 6962. */
async function leafProblems(
  { database }: Registry,
  { open: { generation, size }, isThorough }: { readonly open: LogOrigin; readonly isThorough: boolean },
): Promise<string[]> {
  const first = isThorough ? 0 : Math.max(0, size - SAMPLE);
  const wrong = await database.query<{ problem: string; total: number }>(
    `select problem, count(*) over () as total from (
       select 'leaf ' || i || ' is missing or was changed' as problem
       from generate_series($2::bigint, $3::bigint - 1) i
         left join log_leaves l on l.generation = $1 and l.index = i
         left join log_hashes h on h.generation = $1 and h.level = 0 and h.index = i
       where h.hash is null or l.leaf is null or h.hash <> sha256('\\x00'::bytea || l.leaf)
       union all
       select 'hash ' || p.level || '/' || p.index || ' does not belong to the leaves below it'
       from log_hashes p
         left join log_hashes a on a.generation = $1 and a.level = p.level - 1 and a.index = p.index * 2
         left join log_hashes b on b.generation = $1 and b.level = p.level - 1 and b.index = p.index * 2 + 1
       where p.generation = $1 and p.level > 0 and p.index >= $2 >> p.level
         and (a.hash is null or b.hash is null or p.hash <> sha256('\\x01'::bytea || a.hash || b.hash))
     ) found limit 10`,
    [generation, first, size],
  );
  const total = wrong[0]?.total ?? 0;
  const problems = wrong.map(({ problem }) => problem);
  return total > problems.length ? [...problems, `and ${total - problems.length} more`] : problems;
}
