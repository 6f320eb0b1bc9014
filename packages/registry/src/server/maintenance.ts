// Rows that are no longer needed, and work that the embedded database does not do by itself: checkpoints, vacuum, copies.

import { basename } from 'node:path';
import { describeError, type Log } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { pruneChanges } from '../search/index.ts';
import { type EmbeddedDatabase, listCopies, makeCopy } from '../store/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Job {
  readonly name: string;
  readonly first: number;
  readonly every: number;
  run(): Promise<Record<string, unknown> | undefined>;
}

/** Starts the timers. The returned function stops them and waits for the job that runs. */
export async function startMaintenance(registry: Registry, log: Log): Promise<() => Promise<void>> {
  const timers = new Set<NodeJS.Timeout>();
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const plan = (job: Job, delay: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      running = running.then(async () => {
        if (isStopped) return;
        try {
          const facts = await job.run();
          if (facts !== undefined) log('info', job.name, facts);
        } catch (error) {
          log('error', job.name, describeError(error));
        }
        if (!isStopped) plan(job, job.every);
      });
    }, delay);
    timer.unref();
    timers.add(timer);
  };
  for (const job of await jobsOf(registry)) plan(job, job.first);
  return async () => {
    isStopped = true;
    for (const timer of timers) clearTimeout(timer);
    await running;
  };
}

async function jobsOf(registry: Registry): Promise<Job[]> {
  const { database, settings, now } = registry;
  const forget: Job = {
    name: 'forget-counts',
    first: 10 * MINUTE,
    every: 10 * MINUTE,
    run: async () => {
      await database.query('delete from request_counts where started_at < $1', [
        new Date(now().getTime() - HOUR),
      ]);
      return undefined;
    },
  };
  const prune: Job = {
    name: 'prune-search-changes',
    first: MINUTE,
    every: MINUTE,
    run: async () => {
      await pruneChanges(database);
      return undefined;
    },
  };
  if (database.kind === 'postgres') return [forget, prune];
  const embedded = database as EmbeddedDatabase;
  const alone = (name: string, sql: string, times: Pick<Job, 'first' | 'every'>): Job => ({
    name,
    ...times,
    run: async () => {
      await embedded.pause((engine) => engine.run(sql, 0));
      return undefined;
    },
  });
  const jobs = [
    forget,
    prune,
    alone('checkpoint', 'checkpoint', { first: 5 * MINUTE, every: 5 * MINUTE }),
    alone('vacuum', 'vacuum (analyze)', { first: 10 * MINUTE, every: 6 * HOUR }),
  ];
  if (settings.copies > 0)
    jobs.push({
      name: 'copy',
      first: await untilNextCopy(registry),
      every: settings.copyHours * HOUR,
      run: async () => {
        const started = performance.now();
        const path = await makeCopy(embedded, { data: settings.data, keep: settings.copies, now: now() });
        return { copy: basename(path), ms: Math.round(performance.now() - started) };
      },
    });
  return jobs;
}

/** The first copy of a new registry comes after a minute, later ones when the newest is old enough. */
async function untilNextCopy({ settings, now }: Registry): Promise<number> {
  const [newest] = await listCopies(settings.data);
  if (newest === undefined) return MINUTE;
  const made = Date.parse(basename(newest).replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
  return Math.max(MINUTE, made + settings.copyHours * HOUR - now().getTime());
}
