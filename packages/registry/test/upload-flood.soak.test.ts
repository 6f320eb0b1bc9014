// Nine accounts upload at once; nobody else is refused or waits for all of it.

import { afterEach, expect, test } from 'vitest';
import { openRegistry } from '../src/registry.ts';
import { Settings } from '../src/settings/settings.ts';
import { openPostgres } from '../src/store/open-postgres.ts';
import { requirePostgres } from './open-test-registry.ts';
import { startPostgres } from './postgres-server.ts';
import { startServer } from './server-process.ts';
import { addFloodPeople, floodWithUploads } from './upload-flood.ts';

const ACCOUNTS = 9;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

test.for([
  ['with the usual limits', 1000, {}],
  ['without limits', 300, { REGISTRY_WRITE_LIMIT: '0' }],
] as const)('nine accounts that upload %s', async ([, uploads, env], context) => {
  requirePostgres(context);
  const postgres = startPostgres();
  ends.push(() => postgres.stop());
  const root = openPostgres(postgres.urlOf('postgres'), { connections: 1 });
  await root.query('create database registry');
  await root.close();
  const databaseUrl = postgres.urlOf('registry');
  const registry = await openRegistry(Settings.parse({ data: postgres.directory, databaseUrl }));
  const people = await addFloodPeople(registry, ACCOUNTS);
  await registry.close();
  const server = await startServer({ databaseUrl, env: { REGISTRY_WRITE_LIMIT: '120', ...env } });
  ends.push(server.kill);

  const { uploads: answers, reads, publications } = await floodWithUploads(server.url, people, uploads);
  // The publication that was under way at the end counts too; at least one other was answered in the middle.
  expect(publications.length).toBeGreaterThan(1);
  expect(new Set(publications.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
  for (const statuses of answers) {
    expect(Object.keys(statuses).filter((status) => !['201', '429', '503'].includes(status))).toEqual([]);
    expect(statuses[201]).toBeGreaterThan(0);
  }
});
