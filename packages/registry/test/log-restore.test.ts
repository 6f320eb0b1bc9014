import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkAdvance,
  checkProof,
  checkSuccessor,
  decodeEntries,
  rootOf,
} from 'skillwright/transparency-log';
import { afterEach, describe, expect, test } from 'vitest';
import { examine } from '../src/doctor/examine.ts';
import { openLog, startNewOrigin } from '../src/log/open-log.ts';
import type { Registry } from '../src/registry.ts';
import { createApp } from '../src/server/create-app.ts';
import type { Database } from '../src/store/database.ts';
import { forgetful, logVersion, readLog, versionEntry } from './log-world.ts';
import { onBothDatabases, openTestRegistry, type TestRegistry } from './open-test-registry.ts';

/** Takes the database back to an older state, as restoring a backup does. */
async function goBack({ database }: Registry, state: Awaited<ReturnType<typeof remember>>): Promise<void> {
  await database.transaction(async (tx) => {
    for (const table of tables.toReversed()) await tx.query(`delete from ${table}`);
    for (const [table, rows] of state) {
      await tx.query(
        `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [rows],
      );
    }
  });
}

const tables = [
  'owners',
  'skills',
  'versions',
  'log_origins',
  'log_leaves',
  'log_hashes',
  'log_checkpoints',
  'log_cosignatures',
];

async function remember({ database }: { readonly database: Database }): Promise<[string, string][]> {
  const state: [string, string][] = [];
  for (const table of tables) {
    const [row] = await database.query<{ rows: string }>(
      `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t`,
    );
    state.push([table, row!.rows]);
  }
  return state;
}

/** A registry with a backup of three versions, and a client that has seen five. */
async function restoredWorld({ app, registry }: TestRegistry) {
  const client = await readLog(app);
  for (const name of ['one', 'two', 'three']) await logVersion(registry, { name, visibility: 'public' });
  const oldProof = await (await app.request('/api/v1/skills/@team/two/1.0.0/proof')).text();
  const backup = await remember(registry);
  for (const name of ['four', 'five']) await logVersion(registry, { name, visibility: 'public' });
  const known = await client.checkpoint();
  await goBack(registry, backup);
  return { client, known, oldProof, backup };
}

onBothDatabases('a log restored from a backup', (open) => {
  test('starts a new origin that records the end of the old one, and signs the old one no more', async (context) => {
    const world = await open(context);
    const { app, registry } = world;
    const { client, known, oldProof } = await restoredWorld(world);
    expect(known).toMatchObject({ origin: 'registry.test/log', size: 5 });
    const started = await startNewOrigin(registry);
    await logVersion(registry, { name: 'other', visibility: 'public' });

    const offered = await client.checkpoint();
    expect(offered).toMatchObject({ origin: started.origin, size: 5 });
    expect(started.origin).toMatch(/^registry\.test\/log\/\d{10}$/);
    const prefix = started.origin.replace('registry.test', '');
    const [firstLeaf] = decodeEntries(await client.bytes(`${prefix}/tile/entries/000.p/5`), 5);
    const succession = await checkSuccessor({
      known,
      offered,
      firstLeaf: firstLeaf!,
      key: client.key,
      read: client.tilesOf(offered),
    });
    expect(succession.lost).toBe(2);
    // The process remembers the newest checkpoint; the database has only its own.
    expect(succession.recorded).toMatchObject({ origin: 'registry.test/log', size: 5 });

    // Under the old origin there is nothing new to see: the client's past is not contradicted.
    const old = Buffer.from(await client.bytes('/log/1/checkpoint')).toString();
    expect(old.split('\n').slice(0, 2)).toEqual(['registry.test/log', '3']);
    expect(await client.checkpoint()).toEqual(offered);

    // Everything that was kept can be proved again, and old proofs still hold.
    for (const name of ['one', 'two', 'three', 'other']) {
      const proof = await (await app.request(`/api/v1/skills/@team/${name}/1.0.0/proof`)).text();
      expect(checkProof(proof, { key: client.key })).toMatchObject({
        entry: versionEntry(`@team/${name}`),
        checkpoint: { origin: started.origin },
      });
    }
    expect(checkProof(oldProof, { key: client.key }).checkpoint.origin).toBe('registry.test/log');
    expect(await rootOf(5, client.tilesOf(offered))).toEqual(offered.root);
  });

  test('gets a new origin each time the same backup is restored', async (context) => {
    const world = await open(context);
    const { registry, pass } = world;
    const { backup } = await restoredWorld(world);
    const first = await startNewOrigin(registry);
    await goBack(registry, backup);
    pass(60_000);
    const second = await startNewOrigin(registry);
    expect(second.generation).toBeGreaterThan(first.generation);
    const third = await startNewOrigin(registry);
    expect(third.generation).toBeGreaterThan(second.generation);
    expect(third.size, 'records of origins are not repeated').toBe(4);
    expect(await startNewOrigin(registry, { ifOpen: second.generation })).toEqual(third);
  });

  test('may be empty or larger than a batch', async (context) => {
    const { app, registry } = await open(context);
    const client = await readLog(app);
    const empty = await startNewOrigin(registry);
    expect(empty.size).toBe(1);
    await registry.database.query(
      `with leaves as (
         insert into log_leaves (generation, index, kind, leaf, entry)
         select $1, i, 'version', convert_to('leaf ' || i, 'UTF8'), '{}' from generate_series(1, 2500) i returning 1
       ) update log_origins set size = 2501 where generation = $1 and (select count(*) from leaves) > 0`,
      [empty.generation],
    );
    await registry.database.query(
      `insert into log_checkpoints (generation, size, root, note)
       select generation, 2501, '', (select note from log_checkpoints limit 1) from log_origins where closed_at is null`,
    );
    const { size } = await startNewOrigin(registry);
    expect(size).toBe(2501);
    const now = await client.checkpoint();
    expect(await rootOf(size, client.tilesOf(now))).toEqual(now.root);
  });
});

onBothDatabases('a log that shows another past', (open) => {
  test('is found out by a client: rollback, fork, other key, changed tile', async (context) => {
    const world = await open(context);
    const { known, backup } = await restoredWorld(world);
    const { registry, app } = forgetful(world);
    const client = await readLog(app);

    // Rollback: the log cannot prove that it contains what the client knows.
    const back = await client.checkpoint();
    expect(back.size).toBe(3);
    await expect(checkAdvance({ known, offered: back, read: client.tilesOf(known) })).rejects.toThrow('404');

    // Fork: other leaves after the restored ones, of the same size and then a larger one.
    for (const name of ['x', 'y']) await logVersion(registry, { name, visibility: 'public' });
    const same = await client.checkpoint();
    expect(await checkAdvance({ known, offered: same, read: client.tilesOf(same) })).toBe('fork');
    await logVersion(registry, { name: 'z', visibility: 'public' });
    const larger = await client.checkpoint();
    expect(await checkAdvance({ known, offered: larger, read: client.tilesOf(larger) })).toBe('fork');
    expect(await checkAdvance({ known: back, offered: larger, read: client.tilesOf(larger) })).toBe('newer');

    // A tile that was changed.
    await registry.database.query(
      `update log_hashes set hash = sha256('x') where level = 0 and index = 3 and generation = 1`,
    );
    await expect(
      checkAdvance({ known: back, offered: larger, read: client.tilesOf(larger) }),
    ).rejects.toMatchObject({ code: 'E232' });

    // Another key.
    await goBack(registry, backup);
    await registry.database.query(`delete from settings where key = 'log'`);
    await registry.database.query('delete from log_checkpoints');
    await expect(client.checkpoint()).rejects.toMatchObject({ code: 'E230' });
    expect((await app.request('/log/newest')).status).toBe(200);
  });
});

onBothDatabases('a database that is set back under a running registry', (open) => {
  test('gets a new origin instead of a fork', async (context) => {
    const world = await open(context);
    const { registry } = world;
    const told: unknown[] = [];
    registry.onNewOrigin = (change) => told.push(change);
    const { client, known } = await restoredWorld(world);
    // The old state is served as it is: it contradicts nothing.
    expect(await client.checkpoint()).toMatchObject({ origin: 'registry.test/log', size: 3 });
    for (const name of ['x', 'y', 'z']) await logVersion(registry, { name, visibility: 'public' });
    const offered = await client.checkpoint();
    expect(told).toEqual([{ replaced: 'registry.test/log', origin: offered.origin }]);
    const prefix = offered.origin.replace('registry.test', '');
    const [firstLeaf] = decodeEntries(await client.bytes(`${prefix}/tile/entries/000.p/7`), 7);
    const read = client.tilesOf(offered);
    const { recorded } = await checkSuccessor({
      known,
      offered,
      firstLeaf: firstLeaf!,
      key: client.key,
      read,
    });
    expect(recorded).toMatchObject({ origin: 'registry.test/log', size: 5 });
    await logVersion(registry, { name: 'later', visibility: 'public' });
    expect((await client.checkpoint()).origin).toBe(offered.origin);
    expect(told).toHaveLength(1);
  });

  test('is noticed by another process through the file of --log-memory', async (context) => {
    const world = await open(context);
    const file = join(world.data, 'memory');
    const settings = { ...world.registry.settings, logMemory: file };
    const first = { ...world.registry, settings };
    await restoredWorld({ ...world, registry: first, app: createApp(first) });
    expect(existsSync(file)).toBe(true);
    const next = { ...world.registry, settings };
    expect((await openLog(next)).replaced).toBe('registry.test/log');
    expect((await openLog({ ...world.registry, settings })).replaced).toBeNull();
    const warned = async (registry: Registry) =>
      (await examine(registry, { isThorough: false })).some(
        ({ check, fix }) => check === 'log' && fix?.startsWith('set --log-memory') === true,
      );
    expect(await warned(next)).toBe(false);
    expect(await warned(world.registry)).toBe(world.registry.database.kind === 'postgres');
  });
});

describe('a log on the embedded database, at start', () => {
  const opened: TestRegistry[] = [];
  afterEach(async () => {
    for (const { registry, data } of opened.splice(0)) {
      await registry.close();
      rmSync(data, { recursive: true });
    }
  });
  const open = async () => {
    const world = await openTestRegistry('embedded');
    opened.push(world);
    return world;
  };

  test('notices that it knows less than it signed', async () => {
    const world = await open();
    const { client } = await restoredWorld(world);
    const log = await openLog(world.registry);
    expect(log.replaced).toBe('registry.test/log');
    expect((await client.checkpoint()).origin).toBe(log.origin);
    expect(await openLog(world.registry)).toEqual({ ...log, replaced: null });
  });

  test('notices that its past changed', async () => {
    const world = await open();
    await restoredWorld(world);
    for (const name of ['x', 'y', 'z']) await logVersion(world.registry, { name });
    expect((await openLog(world.registry)).replaced).toBe('registry.test/log');
  });

  test('ignores the checkpoint of another log, and fails on a damaged one', async () => {
    const { registry, app, data } = await open();
    await logVersion(registry, { name: 'demo' });
    await (await readLog(app)).checkpoint();
    await registry.database.query(`delete from settings where key = 'log'`);
    expect((await openLog(registry)).replaced).toBeNull();
    const path = join(data, 'log-high-water');
    writeFileSync(path, 'damaged');
    await expect(openLog(registry)).rejects.toMatchObject({
      code: 'E233',
      message: `malformed log data: ${path} is damaged`,
    });
  });
});
