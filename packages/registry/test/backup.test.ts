import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkBackup } from '../src/backup/check-backup.ts';
import type { BackupManifest } from '../src/backup/manifest.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { listTables, quoteName } from '../src/backup/tables.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { openLog } from '../src/log/open-log.ts';
import { openRegistry, type Registry } from '../src/registry.ts';
import { Settings } from '../src/settings/settings.ts';
import { openPostgres } from '../src/store/open-postgres.ts';
import { createPostgresDatabase } from './create-postgres-database.ts';
import { openMemory } from './open-memory.ts';
import { openTestRegistry, requirePostgres } from './open-test-registry.ts';

let place: string;
const opened: Registry[] = [];
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'skw-backup-'));
});
afterEach(async () => {
  for (const registry of opened.splice(0)) await registry.close();
  rmSync(place, { recursive: true, force: true });
});

const archive = Buffer.from('an archive');
const archiveKey = `sha256:${createHash('sha256').update(archive).digest('hex')}`;

/** A registry with a row of every kind of value. */
async function openFilled(): Promise<Registry> {
  const { registry, data } = await openTestRegistry('embedded');
  opened.push({
    ...registry,
    close: async () => {
      await registry.close();
      rmSync(data, { recursive: true, force: true });
    },
  });
  const { database, blobs } = registry;
  await blobs.put(archiveKey, archive);
  await blobs.put(`${archiveKey}.index`, Buffer.from('made of it'));
  await database.query(`insert into owners (name, skeleton, title) values ('acme', 'acme', $1)`, [
    'quotes \' " \\ newline \n tab \t 中文 \u{1f600}',
  ]);
  await database.query(
    `insert into skills (owner_id, name, skeleton, tags, updated_at)
    select id, 'one', 'one', $1, '2026-01-02T03:04:05.123456Z' from owners`,
    [['a', 'b,"c"', '']],
  );
  await database.query(
    `insert into versions (skill_id, version, archive_digest, archive_size, document, document_digest, manifest, scan, override, published_by)
     select s.id, '1.0.' || g, $1, $2, 'text', 'digest', '{"n": 1.10, "deep": [null, {"a": "b"}]}', 'null', null, a.id
     from skills s, accounts a, generate_series(1, 450) g`,
    [archiveKey, archive.length],
  );
  await openLog(registry);
  // Numbers that were given and rolled back are not given again.
  await database.query(`select setval('skills_id_seq', 41)`);
  return registry;
}

async function openEmpty(kind: 'embedded' | 'postgres', name: string): Promise<Registry> {
  const database = kind === 'embedded' ? await openMemory() : openPostgres(await createPostgresDatabase());
  const registry = await openRegistry(Settings.parse({ data: join(place, name) }), {
    database,
    isMigrated: false,
  });
  opened.push(registry);
  return registry;
}

/** A restored registry starts a new origin of its log, which adds rows to these tables and closes the old origin. */
const isOfLog = (table: string) => table.startsWith('log_') || table === 'settings';

/** Rows of the log, without its origins. */
async function logOf(registry: Registry): Promise<string[]> {
  const { tables } = await allOf(registry);
  return Object.entries(tables)
    .filter(([name]) => isOfLog(name) && name !== 'log_origins')
    .flatMap(([name, lines]) => lines.map((line) => `${name} ${line}`));
}

/** Every row of every other table as text, and every blob. */
async function contentOf(registry: Registry): Promise<unknown> {
  const { tables, blobs } = await allOf(registry);
  return { tables: Object.fromEntries(Object.entries(tables).filter(([name]) => !isOfLog(name))), blobs };
}

async function allOf({ database, blobs }: Registry) {
  const tables: Record<string, string[]> = {};
  for (const { name } of await listTables(database))
    tables[name] = (
      await database.query<{ line: string }>(`select t::text as line from ${quoteName(name)} t order by 1`)
    ).map(({ line }) => line);
  const kept: Record<string, string> = {};
  for await (const key of blobs.keys()) kept[key] = Buffer.from((await blobs.get(key))!).toString();
  const sorted = Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => a.localeCompare(b)));
  return { tables, blobs: sorted };
}

async function restore(registry: Registry, file: string): Promise<BackupManifest> {
  const manifest = await checkBackup(file);
  await restoreBackup(registry, { file, manifest });
  return manifest;
}

async function backUp(registry: Registry, name: string): Promise<string> {
  const file = join(place, name);
  const parts: Uint8Array[] = [];
  await writeBackup(registry, async (part) => {
    parts.push(part);
  });
  writeFileSync(file, Buffer.concat(parts));
  return file;
}

test('a backup moves a registry to PostgreSQL and back, row by row', async (context) => {
  requirePostgres(context);
  const first = await openFilled();
  const content = await contentOf(first);
  const logged = await logOf(first);
  expect(logged.length).toBeGreaterThan(0);
  const second = await openEmpty('postgres', 'second');
  const manifest = await restore(second, await backUp(first, 'first.tar'));
  expect([manifest.tables.versions?.rows, manifest.blobs]).toEqual([450, 2]);
  expect(await contentOf(second)).toEqual(content);
  expect(await logOf(second)).toEqual(expect.arrayContaining(logged));
  expect(await second.database.query('select from log_origins where closed_at is null')).toHaveLength(1);
  expect(await second.database.query('select from log_origins')).toHaveLength(2);

  const third = await openEmpty('embedded', 'third');
  await restore(third, await backUp(second, 'second.tar'));
  expect(await contentOf(third)).toEqual(content);
  expect(await logOf(third)).toEqual(expect.arrayContaining(logged));
  for (const { database } of [second, third]) {
    expect(
      await database.query(
        `insert into skills (owner_id, name, skeleton) select id, 'two', 'two' from owners returning id`,
      ),
    ).toEqual([{ id: 42 }]);
    await expect(
      database.query(`insert into skills (owner_id, name, skeleton) values (77, 'three', 'three')`),
    ).rejects.toMatchObject({ code: '23503' });
  }
}, 300_000);

test('a database with rows is refused', async () => {
  const first = await openFilled();
  const file = await backUp(first, 'first.tar');
  const content = await contentOf(first);
  await expect(restore(first, file)).rejects.toThrow('the database is not empty: accounts has rows');
  expect(await contentOf(first)).toEqual(content);
});

test('a damaged, cut off or newer backup is refused, and nothing is restored', async () => {
  const first = await openFilled();
  const file = await backUp(first, 'first.tar');
  const whole = readFileSync(file);
  const target = await openEmpty('embedded', 'target');
  const refuse = async (reason: string) => {
    await expect(restore(target, file)).rejects.toThrow(reason);
    expect(await contentOf(target)).toEqual({ tables: {}, blobs: {} });
  };
  for (const length of [0, 700, Math.floor(whole.length / 2), whole.length - 2000]) {
    writeFileSync(file, whole);
    truncateSync(file, length);
    await refuse('is not a complete backup: the archive is cut off. Nothing was restored.');
  }
  const change = (from: string, to: string) => {
    const at = whole.indexOf(from);
    expect(at).toBeGreaterThan(0);
    const changed = Buffer.from(whole);
    changed.write(to, at);
    writeFileSync(file, changed);
  };
  change('an archive', 'AN archive');
  await refuse(`blobs/${archiveKey.replace(':', '-')} has other bytes`);
  change('acme', 'ACME');
  await refuse('is damaged');
  change('0001-schema', '0999-schema');
  await refuse('the backup is newer than this program: it has 0999-schema.');
  await expect(restore(target, join(place, 'missing.tar'))).rejects.toThrow(
    'missing.tar: no such file or directory. Nothing was restored.',
  );

  writeFileSync(file, whole);
  await restore(target, file);
  expect(await contentOf(target)).toEqual(await contentOf(first));
}, 300_000);
