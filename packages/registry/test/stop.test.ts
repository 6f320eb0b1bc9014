// The end of a server: a second signal, and the work of timers.

import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIGEST_HEADER } from 'skillwright/registry-protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRegistry } from '../src/registry.ts';
import { startMaintenance } from '../src/server/maintenance.ts';
import { Settings } from '../src/settings/settings.ts';
import { copyEmptyData } from './copy-empty-data.ts';
import { startServer } from './server-process.ts';

/** For a machine that is busy. */
const PATIENCE = { timeout: 60_000, interval: 50 };

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'skw-stop-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(data, { recursive: true, force: true });
});

test('a second signal ends the server at once, and the embedded database opens with everything it reported', async () => {
  await copyEmptyData(data);
  const server = await startServer({ data });
  const token = /skwr_\S+/.exec(server.lines.join(' '))![0];
  const put = (name: string) =>
    fetch(`${server.url}/api/v1/owners/@${name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await put('acme')).status).toBe(201);
  // An upload that never ends keeps a graceful stop waiting.
  const open = request(`${server.url}/api/v1/skills/@acme/demo/1.0.0`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/gzip',
      'content-length': '1000',
      [DIGEST_HEADER]: `sha256:${'0'.repeat(64)}`,
    },
  });
  open.on('error', () => {});
  open.write('x');
  expect((await put('beta')).status).toBe(201);
  const ended = once(server.process, 'exit');
  server.process.kill('SIGINT');
  // It takes no connections any more: the first signal has arrived.
  await vi.waitUntil(
    () =>
      fetch(`${server.url}/healthz`).then(
        () => false,
        () => true,
      ),
    PATIENCE,
  );
  expect(server.process.exitCode).toBeNull();
  server.process.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  open.destroy();

  const registry = await openRegistry(Settings.parse({ data }));
  expect(await registry.database.query('select name from owners order by name')).toEqual([
    { name: 'acme' },
    { name: 'beta' },
  ]);
  const [leaves] = await registry.database.query('select size from log_origins');
  expect(leaves).toEqual({ size: 2 });
  await registry.close();
});

test('timers write checkpoints, vacuum, copy and forget old counts, and end with the server', async () => {
  await copyEmptyData(data);
  const start = Date.now();
  let now = new Date(start);
  const registry = await openRegistry(Settings.parse({ data, copies: 2, copyHours: 1 }), { now: () => now });
  const { database } = registry;
  await database.query(`insert into request_counts values ('old', $1, 1), ('new', $2, 1)`, [
    new Date(start - 2 * 3_600_000),
    new Date(start),
  ]);
  const ran: string[] = [];
  const { pause } = database as unknown as {
    pause(work: (engine: unknown) => Promise<unknown>): Promise<unknown>;
  };
  Object.assign(database, {
    pause: (work: (engine: { run(sql: string, limit: number): Promise<void> }) => Promise<unknown>) =>
      pause((engine) =>
        work({
          ...(engine as object),
          run: (sql: string, limit: number) => {
            ran.push(sql);
            return (engine as { run(text: string, at: number): Promise<void> }).run(sql, limit);
          },
        }),
      ),
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const events: string[] = [];
  const end = await startMaintenance(registry, (_, event) => events.push(event));
  const pass = async (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
    vi.advanceTimersByTime(minutes * 60_000);
  };
  const copies = () => readdirSync(join(data, 'copies')).filter((name) => !name.endsWith('.new'));
  await pass(1);
  await vi.waitFor(() => expect(events).toEqual(['copy']), PATIENCE);
  expect(copies()).toHaveLength(1);
  await pass(9);
  await vi.waitFor(() => expect(ran).toContain('vacuum (analyze)'), PATIENCE);
  expect(ran.filter((sql) => sql === 'checkpoint').length).toBeGreaterThan(0);
  await vi.waitFor(
    async () => expect(await database.query('select key from request_counts')).toEqual([{ key: 'new' }]),
    PATIENCE,
  );
  for (const count of [2, 3]) {
    await pass(60);
    await vi.waitFor(() => expect(events.filter((event) => event === 'copy')).toHaveLength(count), PATIENCE);
  }
  expect(copies(), 'the oldest is gone').toHaveLength(2);
  await end();
  const before = ran.length;
  await pass(600);
  expect(ran).toHaveLength(before);
  vi.useRealTimers();
  await registry.close();
});
