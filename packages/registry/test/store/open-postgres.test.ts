import { expect, test } from 'vitest';
import { newTokenSecret } from '../../src/base/secrets.ts';
import { failureOf } from '../../src/http/failure-of.ts';
import { openRegistry } from '../../src/registry.ts';
import { createApp } from '../../src/server/create-app.ts';
import { Settings } from '../../src/settings/settings.ts';
import { openPostgres } from '../../src/store/open-postgres.ts';
import { createPostgresDatabase } from '../create-postgres-database.ts';
import { requirePostgres } from '../open-test-registry.ts';
import { startPostgres } from '../postgres-server.ts';

const unavailable = { code: 'unavailable', status: 503, headers: { 'retry-after': '2' } };

test('a statement that takes too long is stopped by the server, on a connection that stays', async (context) => {
  requirePostgres(context);
  const database = openPostgres(await createPostgresDatabase(), { connections: 1, statementTimeout: 60_000 });
  const [before] = await database.query('select pg_backend_pid() as id, current_setting($1) as name', [
    'application_name',
  ]);
  expect(before).toMatchObject({ name: 'skillwright-registry' });
  const limitIn = (place: { query: typeof database.query }) =>
    place.query(`select current_setting('statement_timeout') as limit`);
  expect(await limitIn(database)).toEqual([{ limit: '1min' }]);
  expect(await database.transaction(limitIn, { statementTimeout: 0 })).toEqual([{ limit: '0' }]);
  // Only this statement is in a hurry.
  const hurried = database.transaction((tx) => tx.query('select pg_sleep(60)'), { statementTimeout: 100 });
  expect(await hurried.catch(failureOf)).toMatchObject(unavailable);
  expect(
    await database.query('select pg_backend_pid() as id, current_setting($1) as name', ['application_name']),
  ).toEqual([before]);
  await database.close();
});

test('statements are prepared once per connection', async (context) => {
  requirePostgres(context);
  const database = openPostgres(await createPostgresDatabase(), { connections: 1 });
  // A transaction keeps its connection; the pool closes one that was idle for some seconds.
  const counted = await database.transaction(async (tx) => {
    for (const value of [1, 2, 3]) await tx.query('select $1::int as value', [value]);
    return tx.query(
      `select count(*) as count from pg_prepared_statements where statement = 'select $1::int as value'`,
    );
  });
  expect(counted).toEqual([{ count: 1 }]);
  await database.close();
});

test('other databases of the process do not use up the statements that are kept', async (context) => {
  requirePostgres(context);
  const [other, database] = [
    openPostgres(await createPostgresDatabase()),
    openPostgres(await createPostgresDatabase()),
  ];
  for (let number = 0; number < 600; number++) await other.query(`select ${number}`);
  const counted = await database.transaction(async (tx) => {
    await tx.query('select $1::text as kept', ['x']);
    return tx.query(`select count(*) as count from pg_prepared_statements where statement like '%as kept'`);
  });
  expect(counted).toEqual([{ count: 1 }]);
  await Promise.all([other.close(), database.close()]);
});

test('requests fail with 503 while the server is away, and work again by themselves', async (context) => {
  requirePostgres(context);
  const server = startPostgres();
  const databaseUrl = await createPostgresDatabase({ server });
  const registry = await openRegistry(Settings.parse({ data: '/nowhere', databaseUrl }));
  const app = createApp(registry);
  const askReady = async () => {
    const response = await app.request('/readyz');
    return response.status;
  };
  // Malformed tokens are refused without asking the database.
  // An unknown token is remembered for some seconds; another one asks the database.
  const askWho = async () => {
    const authorization = `Bearer ${newTokenSecret()}`;
    const response = await app.request('/healthz', { headers: { authorization } });
    return [response.status, response.headers.get('retry-after')];
  };
  expect([await askReady(), await askWho()]).toEqual([200, [401, null]]);

  let started = () => {};
  const isUnderWay = new Promise<void>((resolve) => {
    started = resolve;
  });
  const inFlight = registry.database.transaction(async (tx) => {
    await tx.query(`insert into settings (key, value) values ('half', '1')`);
    const sleeping = tx.query('select pg_sleep(60)');
    started();
    await sleeping;
  });
  const failed = inFlight.catch(failureOf);
  await isUnderWay;
  server.stop();
  expect(await failed).toMatchObject(unavailable);
  expect([await askReady(), await askWho()]).toEqual([503, [503, '2']]);

  server.start();
  expect([await askReady(), await askWho()]).toEqual([200, [401, null]]);
  expect(await registry.database.query('select key from settings')).toEqual([]);
  await registry.close();
  server.stop();
});
