// Restores a backup into an empty database of either kind, all or nothing.

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/index.ts';
import { startNewOrigin } from '../log/index.ts';
import type { Registry } from '../registry.ts';
import { noteEverything } from '../search/index.ts';
import { applyMigrations, type Blobs, json, migrations, type Queryable } from '../store/index.ts';
import { readBackup } from './check-backup.ts';
import type { BackupManifest } from './manifest.ts';
import { fixTextForms, listTables, quoteName } from './tables.ts';

/** Restores a checked file and starts a new origin of the log. The registry's database is empty and may lack its tables. */
export async function restoreBackup(
  registry: Registry,
  { file, manifest }: { readonly file: string; readonly manifest: BackupManifest },
): Promise<void> {
  const written: string[] = [];
  try {
    await registry.database.transaction(
      async (tx) => {
        await demandEmpty(tx);
        await applyMigrations(
          tx,
          migrations.filter(({ name }) => manifest.schema.includes(name)),
        );
        await fixTextForms(tx);
        const blobs = registry.blobs.within?.(tx) ?? registry.blobs;
        await withoutConstraints(tx, () => restoreFiles(tx, { file, manifest, blobs, written }));
        for (const [name, { value, isCalled }] of Object.entries(manifest.sequences))
          await tx.query('select setval($1::text::regclass, $2, $3)', [quoteName(name), value, isCalled]);
        await applyMigrations(tx, migrations);
        await noteEverything(tx);
        await markRestored(tx);
      },
      { statementTimeout: 0 },
    );
  } catch (error) {
    if (registry.blobs.within === undefined) for (const key of written) await registry.blobs.remove(key);
    throw error;
  }
  await finishRestore(registry);
}

const RESTORED = 'restored';

/** A file that says the same for a copy of the embedded database that takes the place of another. */
export const recoveryNote = (data: string): string => join(data, 'recovered');

/** Remembers that the log needs a new origin before anything is signed. */
async function markRestored(tx: Queryable): Promise<void> {
  await tx.query('insert into settings (key, value) values ($1, $2::jsonb) on conflict (key) do nothing', [
    RESTORED,
    json(true),
  ]);
}

/** Starts the new origin after a restore, also if the process that restored was stopped before. */
export async function finishRestore(registry: Registry): Promise<void> {
  const [marked] = await registry.database.query('select key from settings where key = $1', [RESTORED]);
  const note = recoveryNote(registry.settings.data);
  if (marked === undefined && !existsSync(note)) return;
  await startNewOrigin(registry);
  await registry.database.query('delete from settings where key = $1', [RESTORED]);
  await rm(note, { force: true });
}

async function demandEmpty(tx: Queryable): Promise<void> {
  for (const { name } of await listTables(tx)) {
    const [row] = await tx.query(`select from ${quoteName(name)} limit 1`);
    if (row !== undefined)
      throw new Problem(
        `the database is not empty: ${name} has rows. Restore into an empty database or directory.`,
      );
  }
}

/** References are checked once at the end, and no trigger changes what is restored. */
async function withoutConstraints(tx: Queryable, work: () => Promise<void>): Promise<void> {
  const references = await tx.query<{ name: string; place: string; definition: string }>(
    `select conname::text as name, conrelid::regclass::text as place, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conname`,
  );
  const tables = await listTables(tx);
  for (const { name, place } of references)
    await tx.query(`alter table ${place} drop constraint ${quoteName(name)}`);
  for (const { name } of tables) {
    await tx.query(`alter table ${quoteName(name)} disable trigger user`);
    await tx.query(`delete from ${quoteName(name)}`);
  }
  await work();
  for (const { name } of tables) await tx.query(`alter table ${quoteName(name)} enable trigger user`);
  for (const { name, place, definition } of references)
    await tx.query(`alter table ${place} add constraint ${quoteName(name)} ${definition}`);
}

async function restoreFiles(
  tx: Queryable,
  {
    file,
    manifest,
    blobs,
    written,
  }: {
    readonly file: string;
    readonly manifest: BackupManifest;
    readonly blobs: Blobs;
    readonly written: string[];
  },
): Promise<void> {
  const statements = await insertStatements(tx, manifest);
  for await (const { name, bytes } of readBackup(file)) {
    const [, kind, rest = ''] = /^(tables|blobs)\/(.+)$/.exec(name)!;
    if (kind === 'tables') {
      const lines = Buffer.from(bytes).toString('utf8').trimEnd().split('\n');
      await tx.query(statements.get(rest.slice(0, rest.lastIndexOf('/')))!, [`[${lines.join(',')}]`]);
    } else {
      const key = rest.replace('-', ':');
      if ((await blobs.get(key)) === undefined) written.push(key);
      await blobs.put(key, bytes);
    }
  }
}

/** By table: inserts rows given as one JSON array of arrays of texts. */
async function insertStatements(
  tx: Queryable,
  { tables }: BackupManifest,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map((await listTables(tx)).map((table) => [table.name, table]));
  const statements = new Map<string, string>();
  for (const [name, { columns }] of Object.entries(tables)) {
    const types = new Map(known.get(name)?.columns.map((column) => [column.name, column.type]));
    const values = columns.map((column, at) => {
      const type = types.get(column);
      if (type === undefined) throw new Error(`the backup has a column the schema lacks: ${name}.${column}`);
      return `(v->>${at})::${type}`;
    });
    statements.set(
      name,
      `insert into ${quoteName(name)} (${columns.map(quoteName).join(', ')}) overriding system value
       select ${values.join(', ')} from json_array_elements($1::json) v`,
    );
  }
  return statements;
}
