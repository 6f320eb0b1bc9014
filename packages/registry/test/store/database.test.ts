// The contract of the port: the same on embedded PostgreSQL in memory, on embedded PostgreSQL on disk, and on a server.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../../src/http/failure-of.ts';
import { type Database, databaseCode } from '../../src/store/database.ts';
import { openEmbedded } from '../../src/store/open-embedded.ts';
import { openPostgres } from '../../src/store/open-postgres.ts';
import { createPostgresDatabase } from '../create-postgres-database.ts';
import { openMemory } from '../open-memory.ts';
import { onBothDatabases, requirePostgres } from '../open-test-registry.ts';
import { findPostgres } from '../postgres-server.ts';

const data = mkdtempSync(join(tmpdir(), 'skw-store-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const kinds: Record<string, () => Promise<Database>> = {
  memory: () => openMemory(),
  disk: () => openEmbedded(data),
  postgres: async () => openPostgres(await createPostgresDatabase(), { connections: 5 }),
};

const codeOf = (work: Promise<unknown>) => work.then(() => 'done', databaseCode);
const messageOf = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message);

for (const [kind, open] of Object.entries(kinds))
  describe(`a database (${kind})`, () => {
    let database: Database;
    const isMissing = kind === 'postgres' && findPostgres() === undefined;
    beforeAll(async () => {
      if (isMissing) return;
      database = await open();
      await database.run('create table things (id int primary key, name text, bytes bytea)');
    });
    afterAll(() => database?.close());
    const it = (title: string, run: () => Promise<void>) =>
      test(title, async (context) => {
        if (isMissing) requirePostgres(context);
        await run();
      });

    it('reads values in the same way', async () => {
      const [row] = await database.query(
        `select $1::bigint as count, $2::bytea as bytes, $3::jsonb as value, $4::text[] as list, '2026-01-02'::date as day,
          '2026-01-02T03:04:05Z'::timestamptz as at, '2026-01-02 03:04:05'::timestamp as local, 1.5::real as real,
          2.5::numeric as exact, true as yes, null::text as nothing, '1 day'::interval as span, 7::smallint as small`,
        [2 ** 40, Uint8Array.of(1, 2), JSON.stringify({ a: [1] }), ['x', 'y"\\', '', null]],
      );
      expect({ ...row!, bytes: [...(row as { bytes: Uint8Array }).bytes] }).toEqual({
        count: 2 ** 40,
        bytes: [1, 2],
        value: { a: [1] },
        list: ['x', 'y"\\', '', null],
        day: '2026-01-02',
        at: new Date('2026-01-02T03:04:05Z'),
        local: new Date('2026-01-02T03:04:05Z'),
        real: 1.5,
        exact: 2.5,
        yes: true,
        nothing: null,
        span: '1 day',
        small: 7,
      });
    });

    it('reads arrays in the same way', async () => {
      const [row] = await database.query<{ bytes: Uint8Array[] }>(
        `select $1::bigint[] as counts, array['{"a":1}'::jsonb] as values, array['\\x0102'::bytea] as bytes,
          array['2026-01-02T03:04:05Z'::timestamptz, null] as times, array[1.5::numeric] as exact, array['2026-01-02'::date] as days,
          array[1, 2] as numbers, array[true] as flags`,
        [[1, 2 ** 40]],
      );
      expect({ ...row!, bytes: row!.bytes.map((bytes) => [...bytes]) }).toEqual({
        counts: [1, 2 ** 40],
        values: [{ a: 1 }],
        bytes: [[1, 2]],
        times: [new Date('2026-01-02T03:04:05Z'), null],
        exact: [1.5],
        days: ['2026-01-02'],
        numbers: [1, 2],
        flags: [true],
      });
    });

    it('takes parameters in the same way', async () => {
      const rows = await database.query(
        'select $1::text as number, $2::text as missing, $3::boolean as yes, $4::timestamptz as at, $5::double precision as real',
        [5, undefined, false, new Date(1000), 0.1],
      );
      expect(rows).toEqual([{ number: '5', missing: null, yes: false, at: new Date(1000), real: 0.1 }]);
    });

    it('reports errors by code', async () => {
      await database.query(`insert into things (id) values (1) on conflict do nothing`);
      expect([
        await codeOf(database.query('insert into things (id) values ($1)', [1])),
        await codeOf(database.query('selekt')),
        await codeOf(database.query('select * from nowhere')),
        await codeOf(database.query('select 1 / $1::int', [0])),
        await codeOf(database.query('insert into things (id) values (null)')),
      ]).toEqual(['23505', '42601', '42P01', '22012', '23502']);
    });

    it('refuses text with NUL as a bad request', async () => {
      const failures = [];
      for (const sql of ['select $1::text', 'insert into things (id, name) values (99, $1)'])
        failures.push(await database.query(sql, ['a\0b']).catch(failureOf));
      failures.push(await database.query('select $1::jsonb', ['"a\\u0000b"']).catch(failureOf));
      expect(failures).toEqual(Array(3).fill(expect.objectContaining({ code: 'bad_request', status: 400 })));
      expect(await database.query('select id from things where id = 99')).toEqual([]);
    });

    it('keeps 16 MiB in one value', async () => {
      const bytes = new Uint8Array(16 * 1024 * 1024).map((_, at) => at * 31);
      await database.query('insert into things (id, bytes) values (2, $1)', [bytes]);
      const [row] = await database.query<{ bytes: Uint8Array }>('select bytes from things where id = 2');
      expect(Buffer.compare(row!.bytes, bytes)).toBe(0);
    });

    it('commits what returns, and rolls back what throws', async () => {
      const kept = await database.transaction(async (tx) => {
        await tx.query('insert into things (id) values (10)');
        return 'kept';
      });
      const lost = messageOf(
        database.transaction(async (tx) => {
          await tx.query('insert into things (id) values (11)');
          throw new Error('lost');
        }),
      );
      expect([kept, await lost]).toEqual(['kept', 'lost']);
      expect(await database.query('select id from things where id in (10, 11)')).toEqual([{ id: 10 }]);
    });

    it('never reports success for a transaction that PostgreSQL rolls back', async () => {
      const work = database.transaction(async (tx) => {
        await tx.query('insert into things (id) values (12)');
        await tx.query('select 1 / 0').catch(() => {});
      });
      expect(await codeOf(work)).toBe('22012');
      expect(await database.query('select id from things where id = 12')).toEqual([]);
    });

    it('goes on after a savepoint', async () => {
      await database.transaction(async (tx) => {
        await tx.query('insert into things (id) values (13)');
        await tx.query('savepoint before');
        await tx.query('select 1 / 0').catch(() => {});
        await tx.query('rollback to savepoint before');
      });
      expect(await database.query('select id from things where id = 13')).toEqual([{ id: 13 }]);
    });

    it('refuses its own query inside a transaction instead of waiting for itself', async () => {
      const wrong = "inside a transaction use the transaction's own query, not the database";
      const inside = (work: () => Promise<unknown>) => messageOf(database.transaction(work));
      expect([
        await inside(() => database.query('select 1')),
        await inside(() => database.transaction(async () => 1)),
        await inside(async () => (await Promise.all([database.query('select 1')]))[0]),
        await inside(() => database.run('select 1')),
      ]).toEqual([wrong, wrong, wrong, wrong]);
      let late: (() => Promise<unknown>) | undefined;
      await database.transaction(async (tx) => {
        late = () => tx.query('select 1');
      });
      expect(await messageOf(late!())).toBe('the transaction has ended');
      expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('runs transactions in parallel without losing a change', async () => {
      await database.query('insert into things (id, name) values (20, 0::text)');
      const add = () =>
        database.transaction(async (tx) => {
          const [row] = await tx.query<{ name: string }>('select name from things where id = 20 for update');
          await tx.query('update things set name = $1 where id = 20', [Number(row!.name) + 1]);
        });
      await Promise.all(Array.from({ length: 40 }, add));
      expect(await database.query('select name from things where id = 20')).toEqual([{ name: '40' }]);
    });

    it('runs a transaction again after a serialisation failure', async () => {
      let attempts = 0;
      const result = await database.transaction(async (tx) => {
        attempts++;
        if (attempts < 3)
          await tx.query(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
        return attempts;
      });
      expect(result).toBe(3);
    });

    it('reads one state in a snapshot, and writes nothing there', async () => {
      const work = database.snapshot((tx) => tx.query('insert into things (id) values (30)'));
      expect(await codeOf(work)).toBe('25006');
      expect(await database.snapshot((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
    });

    it('runs several statements, all or none', async () => {
      expect(await codeOf(database.run('create table made (id int); select 1 / 0'))).toBe('22012');
      expect(await codeOf(database.query('select * from made'))).toBe('42P01');
      await database.run('create table made (id int); insert into made values (1)');
      expect(await database.query('select id from made')).toEqual([{ id: 1 }]);
    });

    it('notices that a table changed under a prepared statement', async () => {
      const read = () => database.query('select * from changing');
      await database.run('create table changing (a int); insert into changing values (1)');
      expect(await read()).toEqual([{ a: 1 }]);
      await database.run('alter table changing add column b int default 2');
      expect(await read()).toEqual([{ a: 1, b: 2 }]);
      const inside = () => database.transaction((tx) => tx.query('select * from changing'));
      await inside();
      await database.run('alter table changing drop column a');
      expect(await inside()).toEqual([{ b: 2 }]);
    });
  });

onBothDatabases('an empty registry', (open) => {
  test('is ready, and its first administrator exists once', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const ready = await app.request('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { ok: true }]);
    expect(adminToken).toMatch(/^skwr_/);
    const rows = await registry.database.query(
      'select name, is_admin, created_at > now() as later from accounts',
    );
    expect(rows).toEqual([{ name: 'admin', is_admin: true, later: false }]);
  });
});
