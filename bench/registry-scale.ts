// A registry that grows on PostgreSQL: search cold and warm, memory, start, and what a skill and a request cost at each size.
// usage: BENCH_DATA=<directory> [SCALE_DATABASE=<url>] node bench/registry-scale.ts [3000 30000 200000]
// SCALE_CONNECTIONS, SCALE_REQUESTS and SCALE_ASKED bound the load on a busy machine. A database that has skills already gets
// those it lacks. Skills are real ones and mixtures of two.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFirstAdmin } from '../packages/registry/src/accounts/tokens.ts';
import { openRegistry, type Registry } from '../packages/registry/src/registry.ts';
import { Settings } from '../packages/registry/src/settings/settings.ts';
import { openPostgres } from '../packages/registry/src/store/open-postgres.ts';
import { startPostgres } from '../packages/registry/test/postgres-server.ts';
import { queriesFor } from './registry.ts';
import { insertMany } from './registry-import.ts';
import {
  latencyAt,
  load,
  loadInTurn,
  type RunningServer,
  residentMegabytes,
  startServer,
  stopServer,
} from './registry-server.ts';
import { type BenchSkill, skillMaker, unpackRealSkills } from './registry-skills.ts';
import { inWorkplace, node, repository } from './workplace.ts';

const CONNECTIONS = Number(process.env.SCALE_CONNECTIONS ?? 50);
const REQUESTS = Number(process.env.SCALE_REQUESTS ?? 2000);
/** Skills whose words the queries take. */
const ASKED = Number(process.env.SCALE_ASKED ?? 5000);
const BATCH = 500;
/** Of the processor's clock. */
const TICK_MS = 10;

const sizes = process.argv.slice(2).map(Number);

async function insertUpTo(
  registry: Registry,
  { size, skillAt }: { size: number; skillAt: (number: number) => BenchSkill },
): Promise<number> {
  const [row] = await registry.database.query<{ count: number }>('select count(*) as count from skills');
  const start = performance.now();
  for (let from = row!.count; from < size; from += BATCH)
    await insertMany(
      registry,
      Array.from({ length: Math.min(BATCH, size - from) }, (_, at) => skillAt(from + at)),
    );
  await registry.database.query('vacuum analyze');
  return (1000 * (size - row!.count)) / (performance.now() - start);
}

/** Milliseconds of processor time of a process and its children, by their numbers. */
function processorTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      if (Number(name) === pid || fields[1] === pid) times.set(name, (fields[11]! + fields[12]!) * TICK_MS);
    } catch {
      // It has just ended.
    }
  return times;
}

/** Sends the paths and says what each request cost the server and the database. */
async function costOf(
  { server, postmaster }: { server: RunningServer; postmaster: number },
  work: () => Promise<{ readonly times: readonly number[] }>,
) {
  const pids = [server.process.pid!, postmaster];
  const before = pids.map(processorTimes);
  const measured = await work();
  const [own = 0, database = 0] = pids.map((pid, at) => {
    const after = processorTimes(pid);
    const used = [...after].reduce((sum, [name, time]) => sum + time - (before[at]!.get(name) ?? time), 0);
    return used / measured.times.length;
  });
  return { own, database };
}

async function measureSize(
  registry: Registry,
  {
    size,
    skillAt,
    databaseUrl,
    data,
  }: {
    size: number;
    skillAt: (number: number) => BenchSkill;
    databaseUrl: string;
    data: string;
  },
): Promise<Record<string, string>> {
  const speed = await insertUpTo(registry, { size, skillAt });
  const [row] = await registry.database.query<{ bytes: number; words: number; postmaster: number }>(
    `select pg_database_size(current_database())::float8 as bytes,
       (select reltuples::float8 from pg_class where relname = 'search_postings') as words,
       split_part(pg_read_file('postmaster.pid'), E'\n', 1)::integer as postmaster`,
  );
  const step = size / Math.min(size, ASKED);
  const asked = Array.from({ length: Math.min(size, ASKED) }, (_, at) => skillAt(Math.floor(at * step)));
  const queries = queriesFor(asked).map((q) => new URLSearchParams({ q }));
  const searches = queries.map((query) => `/api/v1/search?${query}`);
  const pages = queries.map((query) => `/search?${query}`);
  const loadOf = (paths: readonly string[], requests = REQUESTS) => ({
    paths,
    connections: CONNECTIONS,
    requests,
  });
  const started = performance.now();
  const server = await startServer(data, databaseUrl);
  const start = performance.now() - started;
  const idle = residentMegabytes(server);
  try {
    // The first requests load code.
    await load(server, { paths: ['/readyz', '/search'], connections: 1, requests: 20 });
    const cold = await load(server, loadOf(searches, searches.length));
    const processes = { server, postmaster: row!.postmaster };
    const baseline = latencyAt(await load(server, loadOf(['/readyz'])), 0.5);
    const warm = await loadInTurn(server, { search: loadOf(searches), page: loadOf(pages) }, 4);
    const search = await costOf(processes, () => load(server, loadOf(searches)));
    const page = await costOf(processes, () => load(server, loadOf(pages)));
    const outline = await costOf(processes, () =>
      load(server, loadOf(asked.slice(0, 2000).map(({ owner, name }) => `/api/v1/skills/@${owner}/${name}`))),
    );
    const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
    const cost = ({ own, database }: { own: number; database: number }) => `${ms(own)} + ${ms(database)}`;
    return {
      skills: String(size),
      'inserted a second': speed.toFixed(0),
      'database, bytes a skill': (row!.bytes / size).toFixed(0),
      'words a skill': (row!.words / size).toFixed(0),
      start: ms(start),
      'memory at start': `${idle.toFixed(0)} MB`,
      'memory after the searches': `${residentMegabytes(server).toFixed(0)} MB`,
      'SELECT 1, p50': ms(baseline),
      'search, cold, p50': ms(latencyAt(cold, 0.5)),
      'search, cold, p99': ms(latencyAt(cold, 0.99)),
      'search, warm, p50': ms(latencyAt(warm.search, 0.5)),
      'search, warm, p99': ms(latencyAt(warm.search, 0.99)),
      'search page, warm, p50': ms(latencyAt(warm.page, 0.5)),
      'search page, warm, p99': ms(latencyAt(warm.page, 0.99)),
      'processor, search (server + database)': cost(search),
      'processor, search page': cost(page),
      'processor, index of a skill': cost(outline),
    };
  } finally {
    await stopServer(server);
  }
}

spawnSync(node, [join(repository, 'scripts/build.ts'), '--if-stale'], { stdio: 'inherit' });
await inWorkplace(async (directory) => {
  unpackRealSkills(directory);
  const skillAt = skillMaker(directory);
  const data = mkdtempSync(join(tmpdir(), 'skw-scale-'));
  let databaseUrl = process.env.SCALE_DATABASE;
  if (databaseUrl === undefined) {
    const postgres = startPostgres();
    const root = openPostgres(postgres.urlOf('postgres'), { connections: 1 });
    await root.query('create database registry');
    await root.close();
    databaseUrl = postgres.urlOf('registry');
  }
  const registry = await openRegistry(Settings.parse({ data, databaseUrl, statementSeconds: 3600 }));
  await createFirstAdmin(registry);
  for (const size of sizes.length > 0 ? sizes : [3000, 30_000, 200_000]) {
    const figures = await measureSize(registry, { size, skillAt, databaseUrl, data });
    for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(42)}${value}`);
    console.log('');
  }
  await registry.close();
  rmSync(data, { recursive: true, force: true });
});
process.exit(0);
