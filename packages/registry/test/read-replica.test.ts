// A real streaming replica of PostgreSQL: who reads from it, and what happens when it is behind, stops and starts again.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { requireProgram } from '../../skillwright/test/required-program.ts';
import { createFirstAdmin } from '../src/accounts/tokens.ts';
import { examine } from '../src/doctor/index.ts';
import { openRegistry } from '../src/registry.ts';
import { createApp } from '../src/server/create-app.ts';
import { Settings } from '../src/settings/settings.ts';
import { openPostgres } from '../src/store/open-postgres.ts';
import { createPostgresDatabase } from './create-postgres-database.ts';
import { insertSkill } from './insert-skill.ts';
import { findPostgres, type PostgresServer, startPostgres } from './postgres-server.ts';

let primary: PostgresServer;
let standby: PostgresServer;

beforeAll(() => {
  if (findPostgres() === undefined) return;
  primary = startPostgres();
  standby = startPostgres({ replicaOf: primary });
}, 120_000);

afterAll(() => {
  standby?.stop();
  primary?.stop();
});

/** A registry on both servers, with a direct connection to the replica. */
async function openReplicated() {
  const databaseUrl = await createPostgresDatabase({ server: primary });
  const databaseReadUrl = databaseUrl.replace(
    encodeURIComponent(primary.directory),
    encodeURIComponent(standby.directory),
  );
  const limits = { readLimit: 0, searchLimit: 0, writeLimit: 0, loginLimit: 0 };
  const settings = Settings.parse({
    data: primary.directory,
    publicUrl: 'http://registry.test',
    databaseUrl,
    databaseReadUrl,
    ...limits,
  });
  const registry = await openRegistry(settings);
  const replica = openPostgres(databaseReadUrl, { connections: 1, connectTimeout: 2000 });
  onTestFinished(async () => {
    await registry.close();
    await replica.close();
  });
  const token = (await createFirstAdmin(registry))!;
  const app = createApp(registry);
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await app.request(path, { headers });
    const text = await response.text();
    return { status: response.status, text };
  };
  return {
    registry,
    replica,
    /** Names that a search finds. */
    find: async (q: string, headers?: Record<string, string>) => {
      const { text } = await ask(`/api/v1/search?q=${q}`, headers);
      return (JSON.parse(text) as { skills: { name: string }[] }).skills.map(({ name }) => name);
    },
    ask,
    author: { authorization: `Bearer ${token}` },
    isUsed: () => registry.replica!.whyNot() === undefined,
    /** Holds the replica at its state, or lets it go on. */
    hold: (isHeld: boolean) => replica.query(`select pg_wal_replay_${isHeld ? 'pause' : 'resume'}()`),
    reached: (text: string) =>
      expect
        .poll(() => replica.query('select from search_documents where name = $1', [text]))
        .toHaveLength(1),
  };
}

test('strangers read from the replica, and the author of a change from the primary', async (context) => {
  requireProgram(context, 'postgres');
  const { registry, find, ask, author, isUsed, hold, reached } = await openReplicated();
  await insertSkill(registry, { name: 'invoices', description: 'Handles invoices.' });
  await reached('invoices');
  await registry.replica!.look();
  expect(isUsed()).toBe(true);
  expect(await ask('/readyz')).toEqual({ status: 200, text: '{"ok":true,"replica":"used"}' });
  expect(await find('invoices')).toEqual(['@acme/invoices']);
  await hold(true);
  onTestFinished(() => void hold(false).catch(() => {}));
  await insertSkill(registry, { name: 'receipts', description: 'Handles receipts.' });
  await registry.database.query(
    `insert into audit (account_id, actor, via, action) values (1, 'admin', 'token', 'version.publish')`,
  );
  // The replica is a little behind: strangers do not see the change yet, its author does.
  expect(isUsed()).toBe(true);
  expect([await find('receipts'), await find('receipts', author)]).toEqual([[], ['@acme/receipts']]);
  const path = '/api/v1/skills/@acme/receipts';
  expect([(await ask(path)).status, (await ask(path, author)).status]).toEqual([404, 200]);
  // After a while it is too old for anybody.
  await expect.poll(isUsed).toBe(false);
  expect(await find('receipts')).toEqual(['@acme/receipts']);
  expect(await ask('/readyz')).toEqual({ status: 200, text: '{"ok":true,"replica":"not used"}' });
  await hold(false);
  await expect.poll(isUsed).toBe(true);
  expect(await find('receipts')).toEqual(['@acme/receipts']);
});

test('changes reach the memory of searches on the replica, whatever transaction was running', async (context) => {
  requireProgram(context, 'postgres');
  const { registry, find, isUsed, reached } = await openReplicated();
  await insertSkill(registry, { name: 'invoices', description: 'Handles invoices.' });
  await reached('invoices');
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let began = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve;
  });
  // This one takes its number first and commits last.
  const slow = registry.database.transaction(async (tx) => {
    await tx.query(`update skills set description = 'Changed.' where name = 'invoices'`);
    began();
    await held;
  });
  await hasBegun;
  await insertSkill(registry, { name: 'receipts', description: 'Handles invoices too.' });
  await reached('receipts');
  await expect.poll(isUsed).toBe(true);
  const describe = async () => {
    const page = await registry.lagging.database.query<{ description: string }>(
      `select description from skills where name = 'invoices'`,
    );
    return page[0]!.description;
  };
  expect((await find('invoices')).toSorted()).toEqual(['@acme/invoices', '@acme/receipts']);
  goOn();
  await slow;
  await expect.poll(describe).toBe('Changed.');
  const { searchSkills } = await import('../src/search/index.ts');
  const { anonymous } = await import('../src/access/index.ts');
  const { SearchQuery } = await import('skillwright/registry-protocol');
  const { skills } = await searchSkills(registry.lagging, anonymous, SearchQuery.parse({ q: 'invoices' }));
  expect(skills.find(({ name }) => name === '@acme/invoices')?.description).toBe('Changed.');
});

test('a replica that stops is left out at once, and used again when it is back', async (context) => {
  requireProgram(context, 'postgres');
  const { registry, find, ask, isUsed, reached } = await openReplicated();
  await insertSkill(registry, { name: 'invoices', description: 'Handles invoices.' });
  await reached('invoices');
  await expect.poll(isUsed).toBe(true);
  standby.stop();
  try {
    expect(await find('invoices')).toEqual(['@acme/invoices']);
    expect([(await ask('/search?q=invoices')).status, isUsed()]).toEqual([200, false]);
    const findings = await examine(registry, { isThorough: false });
    expect(findings.find(({ check }) => check === 'replica')).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/^the primary answers every read, because the replica is not usable: /),
    });
    expect((await ask('/readyz')).text).toBe('{"ok":true,"replica":"not used"}');
  } finally {
    standby.start();
  }
  await expect.poll(isUsed, { timeout: 60_000 }).toBe(true);
  expect(await find('invoices')).toEqual(['@acme/invoices']);
});

test('another server is not taken for a replica, and an embedded database has none', async (context) => {
  requireProgram(context, 'postgres');
  const databaseUrl = await createPostgresDatabase({ server: primary });
  const settings = { data: primary.directory, publicUrl: 'http://registry.test' };
  const registry = await openRegistry(
    Settings.parse({ ...settings, databaseUrl, databaseReadUrl: databaseUrl }),
  );
  onTestFinished(() => registry.close());
  expect(registry.replica!.whyNot()).toBe('DATABASE_READ_URL is not a streaming replica of DATABASE_URL');
  await expect(
    openRegistry(Settings.parse({ ...settings, databaseReadUrl: databaseUrl }), {
      database: { ...registry.database, kind: 'embedded' },
    }),
  ).rejects.toThrow('DATABASE_READ_URL is a replica of a PostgreSQL server: set DATABASE_URL too');
});
