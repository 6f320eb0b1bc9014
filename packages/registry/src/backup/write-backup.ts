// A consistent backup of a registry while it runs: one tar archive for either kind of database.

import { createHash } from 'node:crypto';
import type { Registry } from '../registry.ts';
import { appliedMigrations, type Blobs, type Queryable } from '../store/index.ts';
import { BACKUP_MANIFEST, type BackupManifest } from './manifest.ts';
import { fixTextForms, listSequences, listTables, quoteName, type Table } from './tables.ts';
import { packEnd, packEntry } from './tar.ts';

/** Takes the bytes of the archive, and returns when it can take more. */
type Sink = (bytes: Uint8Array) => Promise<void>;

/** Writes the archive. Rows and blobs are of one moment; others go on reading and writing. */
export async function writeBackup(registry: Registry, sink: Sink): Promise<BackupManifest> {
  return registry.database.snapshot(async (tx) => {
    const files: Record<string, string> = {};
    const add = async (name: string, bytes: Uint8Array) => {
      files[name] = createHash('sha256').update(bytes).digest('hex');
      for (const part of packEntry({ name, bytes })) await sink(part);
    };
    await fixTextForms(tx);
    const tables: BackupManifest['tables'] = {};
    for (const table of await listTables(tx))
      tables[table.name] = {
        columns: table.columns.map(({ name }) => name),
        rows: await addRows(tx, table, add),
      };
    const sequences: BackupManifest['sequences'] = {};
    for (const name of await listSequences(tx)) {
      const [row] = await tx.query<{ value: number; isCalled: boolean }>(
        `select last_value as value, is_called as "isCalled" from ${quoteName(name)}`,
      );
      sequences[name] = row!;
    }
    const blobs = await addBlobs(registry.blobs.within?.(tx) ?? registry.blobs, add);
    const manifest: BackupManifest = {
      format: 1,
      createdAt: registry.now().toISOString(),
      schema: await appliedMigrations(tx),
      tables,
      sequences,
      blobs,
      files,
    };
    for (const part of packEntry({ name: BACKUP_MANIFEST, bytes: Buffer.from(JSON.stringify(manifest)) }))
      await sink(part);
    await sink(packEnd());
    return manifest;
  });
}

type Add = (name: string, bytes: Uint8Array) => Promise<void>;

/** Rows read at once. */
const PAGE = 200;

/** One JSON array of texts per row; every page is a file. */
async function addRows(tx: Queryable, { name, columns, key }: Table, add: Add): Promise<number> {
  const values = columns.map((column) => `${quoteName(column.name)}::text`).join(', ');
  const order = key.length === 0 ? '' : ` order by ${key.map(quoteName).join(', ')}`;
  await tx.query(
    `declare page no scroll cursor for select json_build_array(${values})::text as line from ${quoteName(name)}${order}`,
  );
  let rows = 0;
  for (let page = 0; ; page++) {
    const lines = await tx.query<{ line: string }>(`fetch ${PAGE} from page`);
    if (lines.length === 0) break;
    rows += lines.length;
    const text = lines.map(({ line }) => `${line}\n`).join('');
    await add(`tables/${name}/${page}.jsonl`, Buffer.from(text));
  }
  await tx.query('close page');
  return rows;
}

async function addBlobs(blobs: Blobs, add: Add): Promise<number> {
  let count = 0;
  for await (const key of blobs.keys()) {
    const bytes = await blobs.get(key);
    // Purged a moment ago.
    if (bytes === undefined) continue;
    await add(`blobs/${key.replace(':', '-')}`, bytes);
    count++;
  }
  return count;
}
