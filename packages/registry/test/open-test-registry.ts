// Registries for tests: the same suite on embedded PostgreSQL and on a PostgreSQL server.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, type TestContext } from 'vitest';
import { requireProgram } from '../../skillwright/test/required-program.ts';
import { createFirstAdmin } from '../src/accounts/tokens.ts';
import type { App } from '../src/http/environment.ts';
import { openRegistry, type Registry } from '../src/registry.ts';
import { createApp } from '../src/server/create-app.ts';
import { Settings } from '../src/settings/settings.ts';
import type { Database } from '../src/store/database.ts';
import { migrate } from '../src/store/migrate.ts';
import { openPostgres } from '../src/store/open-postgres.ts';
import { emptySnapshot } from './copy-empty-data.ts';
import { createPostgresDatabase } from './create-postgres-database.ts';
import { openMemory } from './open-memory.ts';
import { postgresServer } from './postgres-server.ts';

export type DatabaseKind = Database['kind'];

/** A registry with its application, its administrator's token, and a clock tests can move. */
export interface TestRegistry {
  readonly registry: Registry;
  readonly app: App;
  readonly adminToken: string;
  readonly data: string;
  /** Moves the clock. */
  pass(milliseconds: number): void;
}

/** Runs a suite on both databases. Without PostgreSQL its half says so, and fails under CI. */
export function onBothDatabases(title: string, suite: (open: OpenTestRegistry) => void): void {
  for (const kind of ['embedded', 'postgres'] as const)
    describe(`${title} (${kind})`, () => {
      const opened: TestRegistry[] = [];
      afterEach(async () => {
        for (const { registry, data } of opened.splice(0)) {
          await registry.close();
          rmSync(data, { recursive: true, force: true });
        }
      });
      suite(async (context, settings = {}) => {
        if (kind === 'postgres') requirePostgres(context);
        const made = await openTestRegistry(kind, settings);
        opened.push(made);
        return made;
      });
    });
}

/** Opens an empty registry; it is closed after the test. */
export type OpenTestRegistry = (context: TestContext, settings?: Partial<Settings>) => Promise<TestRegistry>;

/** Ends the test when PostgreSQL is missing: skipped with the reason, or failed under CI. */
export function requirePostgres(context: TestContext): void {
  requireProgram(context, 'postgres');
}

/** Tests ask more often than people. */
const unlimited = { readLimit: 0, searchLimit: 0, writeLimit: 0, loginLimit: 0 };

/** An empty registry on a database of this kind. Close it yourself. */
export async function openTestRegistry(
  kind: DatabaseKind,
  settings: Partial<Settings> = {},
): Promise<TestRegistry> {
  const data = mkdtempSync(join(tmpdir(), 'skw-registry-'));
  const database = kind === 'embedded' ? await emptyEmbedded() : await emptyPostgres();
  let passed = untilMidnight();
  const registry = await openRegistry(
    Settings.parse({ data, publicUrl: 'http://registry.test', ...unlimited, ...settings }),
    { database, now: () => new Date(Date.now() + passed) },
  );
  const adminToken = await createFirstAdmin(registry);
  return {
    registry,
    app: createApp(registry),
    adminToken: adminToken!,
    data,
    pass: (milliseconds) => {
      passed += milliseconds;
    },
  };
}

/** Tests name days: shortly before midnight, the clock of a registry starts at the next day. */
function untilMidnight(): number {
  const left = DAY - (Date.now() % DAY);
  return left < 3 * MINUTE ? left : 0;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let snapshot: Promise<Blob> | undefined;

type MemoryDatabase = Awaited<ReturnType<typeof openMemory>>;

/** Emptied databases of this worker. Emptying one takes an eighth of opening another, and it answers faster. */
const spare: { readonly database: MemoryDatabase; readonly shape: string }[] = [];
const MAX_SPARE = 2;

/** A migrated database in memory without rows. */
async function emptyEmbedded(): Promise<Database> {
  const taken = spare.pop() ?? (await loadEmbedded());
  const { database } = taken;
  let isClosed = false;
  /** Work that a test left behind must not reach the database of the next one. */
  const whileOpen = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    ((...args: Args) =>
      isClosed ? Promise.reject(new Error('the database is closed')) : work(...args)) as typeof work;
  return {
    ...database,
    query: whileOpen(database.query),
    transaction: whileOpen(database.transaction),
    snapshot: whileOpen(database.snapshot),
    run: whileOpen(database.run),
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (spare.length < MAX_SPARE && (await isEmptied(taken))) spare.push(taken);
      else await database.close();
    },
  } as Database;
}

/** Opens a copy of a migrated database, which takes a sixth of making one. */
async function loadEmbedded(): Promise<(typeof spare)[number]> {
  snapshot ??= emptySnapshot();
  const database = await openMemory({ loadDataDir: await snapshot });
  return { database, shape: await shapeOf(database) };
}

/** Removes all rows; false when a test has changed the tables. */
async function isEmptied({ database, shape }: (typeof spare)[number]): Promise<boolean> {
  try {
    if ((await shapeOf(database)) !== shape) return false;
    const tables = await database.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
    );
    await database.query(`truncate ${tables.map(({ name }) => name).join(', ')} restart identity`);
    return true;
  } catch {
    return false;
  }
}

/** Tables, columns, indexes and migrations as one text. */
async function shapeOf(database: MemoryDatabase): Promise<string> {
  const [row] = await database.query<{ shape: string }>(
    `select md5(string_agg(c.relname || a.attname || a.atttypid || a.attnotnull || a.atthasdef, ',' order by c.relname, a.attnum))
       || (select md5(string_agg(m::text, ',' order by m::text)) from migrations m) as shape
     from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'public'::regnamespace`,
  );
  return row!.shape;
}

let template: Promise<void> | undefined;

/** A migrated database on the worker's server, copied from a template. */
async function emptyPostgres(): Promise<Database> {
  const server = postgresServer();
  template ??= (async () => {
    const root = openPostgres(server.urlOf('postgres'), { connections: 1 });
    await root.query('create database template_registry');
    const database = openPostgres(server.urlOf('template_registry'), { connections: 1 });
    await migrate(database);
    await database.close();
    await root.close();
  })();
  await template;
  return openPostgres(await createPostgresDatabase({ template: 'template_registry' }));
}
