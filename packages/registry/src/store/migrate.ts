// Brings a database to the newest schema.

import { Problem } from '../base/index.ts';
import type { Database, Queryable } from './database.ts';
import { type Migration, migrations } from './migrations/index.ts';

/** Processes that start at once wait for the one that migrates. */
const LOCK = 7_235_001;

/** Runs the missing migrations in order, each once, all or none. Returns their names. Fails on a database of a newer program. */
export async function migrate(
  database: Database,
  wanted: readonly Migration[] = migrations,
): Promise<string[]> {
  return database.transaction((tx) => applyMigrations(tx, wanted), { statementTimeout: 0 });
}

/** Runs the missing migrations inside a transaction. */
export async function applyMigrations(tx: Queryable, wanted: readonly Migration[]): Promise<string[]> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
  await tx.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  const done = await appliedMigrations(tx);
  const unknown = done.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
  const missing = wanted.filter(({ name }) => !done.includes(name));
  for (const { name, statements } of missing) {
    for (const statement of statements) await tx.query(statement);
    await tx.query('insert into migrations (name) values ($1)', [name]);
  }
  return missing.map(({ name }) => name);
}

/** The names of the migrations a database has. */
export async function appliedMigrations(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ name: string }>('select name from migrations order by name');
  return rows.map(({ name }) => name);
}

/** The database was changed by a later version of this program. */
class NewerDatabase extends Problem {
  constructor(unknown: readonly string[]) {
    super(
      `the database is newer than this program: it has ${unknown.join(', ')}. Start the version that made it, or a later one.`,
    );
  }
}
