// Brings a database to the newest schema.

import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';

/** Processes that start at once wait for the one that migrates. */
const LOCK = 7_235_001;

/** Runs the missing migrations in order, each once, all or none. Returns their names. */
export async function migrate(database: Database): Promise<string[]> {
  await database.run(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  return database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const done = new Set(
      (await tx.query<{ name: string }>('select name from migrations')).map(({ name }) => name),
    );
    const missing = migrations.filter(({ name }) => !done.has(name));
    for (const { name, statements } of missing) {
      for (const statement of statements) await tx.query(statement);
      await tx.query('insert into migrations (name) values ($1)', [name]);
    }
    return missing.map(({ name }) => name);
  });
}
