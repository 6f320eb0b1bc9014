// Counts downloads: once for each version, identity and day. Counted in memory, written in batches, never in the way of a
// request.

import { createHmac, randomBytes } from 'node:crypto';
import type { Caller } from '../access/index.ts';
import type { Store } from '../store/index.ts';

/** A download. */
interface Download {
  readonly versionId: number;
  readonly caller: Caller;
  /** Address of the client, for callers without an account. */
  readonly address: string;
}

/** How long downloads wait for others before they are written. */
const FLUSH_MS = 5000;
/** A full batch is written at once; further downloads are dropped while the database does not keep up. */
const MAX_WAITING = 10_000;

/** Downloads that are not written yet. */
type DownloadCounter = ReturnType<typeof createDownloadCounter>;

type Counting = Store & { readonly downloads: DownloadCounter };

/** Counts a download soon. Returns at once and never fails. */
export function countDownload(registry: Counting, { versionId, caller, address }: Download): void {
  const counter = registry.downloads;
  const day = registry.now().toISOString().slice(0, 10);
  const who = caller.account === undefined ? `address ${address}` : `account ${caller.account.id}`;
  const key = `${day} ${versionId} ${who}`;
  if (counter.waiting.has(key) || counter.waiting.size >= MAX_WAITING) return;
  counter.waiting.set(key, { day, versionId, who });
  if (counter.timer !== undefined) return;
  counter.timer = setTimeout(() => void flushDownloads(registry), FLUSH_MS);
  counter.timer.unref();
}

/** Writes the downloads counted so far; call it before the registry is closed. */
export function flushDownloads(registry: Counting): Promise<void> {
  const counter = registry.downloads;
  clearTimeout(counter.timer);
  counter.timer = undefined;
  counter.writing = counter.writing.then(async () => {
    const batch = [...counter.waiting];
    if (batch.length === 0) return;
    for (const [key] of batch) counter.waiting.delete(key);
    try {
      await writeBatch(
        registry,
        batch.map(([, download]) => download),
      );
    } catch {
      // Downloads are only statistics: those that cannot be written now are kept, up to the limit.
      for (const [key, download] of batch)
        if (counter.waiting.size < MAX_WAITING) counter.waiting.set(key, download);
    }
  });
  return counter.writing;
}

/** A counter without downloads. */
export function createDownloadCounter() {
  return {
    /** Version and identity, by day, version and identity. */
    waiting: new Map<string, { day: string; versionId: number; who: string }>(),
    salts: new Map<string, Buffer>(),
    timer: undefined as NodeJS.Timeout | undefined,
    writing: Promise.resolve(),
  };
}

async function writeBatch(
  registry: Counting,
  batch: readonly { day: string; versionId: number; who: string }[],
): Promise<void> {
  for (const day of new Set(batch.map((download) => download.day))) {
    const salt = await saltOf(registry, day);
    const downloads = batch.filter((download) => download.day === day);
    const identities = downloads.map(({ who }) =>
      createHmac('sha256', salt).update(who).digest('hex').slice(0, 32),
    );
    await registry.database.transaction(async (tx) => {
      await tx.query(
        `with given as (
           select d.version_id, v.skill_id, decode(d.identity, 'hex') as identity
           from unnest($2::bigint[], $3::text[]) as d (version_id, identity) join versions v on v.id = d.version_id
         ), fresh as (
           insert into download_marks (day, version_id, identity)
           select $1::date, g.version_id, g.identity from given g order by g.version_id, g.identity
           on conflict do nothing returning version_id
         ), sums as (
           select v.skill_id, count(*) as count from fresh f join versions v on v.id = f.version_id
           group by v.skill_id order by v.skill_id
         ), days as (
           insert into downloads_by_day (skill_id, day, count) select skill_id, $1::date, count from sums
           on conflict (skill_id, day) do update set count = downloads_by_day.count + excluded.count
         )
         update skills s set downloads = s.downloads + sums.count from sums where s.id = sums.skill_id`,
        [day, downloads.map(({ versionId }) => versionId), identities],
      );
    });
  }
  await forgetOldMarks(registry);
}

/** One salt a day, the same in all processes. It is deleted with the marks, so that nobody can find out later who it was. */
async function saltOf({ database, downloads: { salts } }: Counting, day: string): Promise<Buffer> {
  const known = salts.get(day);
  if (known !== undefined) return known;
  await database.query(
    'insert into download_salts (day, salt) values ($1::date, $2) on conflict (day) do nothing',
    [day, randomBytes(32)],
  );
  const [row] = await database.query<{ salt: Uint8Array }>(
    'select salt from download_salts where day = $1::date',
    [day],
  );
  const salt = Buffer.from(row!.salt);
  salts.clear();
  salts.set(day, salt);
  return salt;
}

/** Marks and salts are needed until their day has passed everywhere. */
async function forgetOldMarks({ database, now }: Store): Promise<void> {
  const oldest = new Date(now().getTime() - 2 * 86_400_000).toISOString().slice(0, 10);
  await database.query('delete from download_marks where day < $1::date', [oldest]);
  await database.query('delete from download_salts where day < $1::date', [oldest]);
}

/** The last days up to today in UTC, oldest first; days without downloads are 0. */
export async function downloadsByDay(
  { database, now }: Store,
  skillId: number,
  days: number,
): Promise<{ readonly day: string; readonly count: number }[]> {
  const today = now().toISOString().slice(0, 10);
  return database.query(
    `select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.count, 0)::bigint as count
     from generate_series($2::date - ($3::integer - 1), $2::date, interval '1 day') as d (day)
     left join downloads_by_day c on c.skill_id = $1 and c.day = d.day::date order by d.day`,
    [skillId, today, days],
  );
}
