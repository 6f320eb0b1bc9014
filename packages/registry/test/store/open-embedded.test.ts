import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requireProgram } from '../../../skillwright/test/required-program.ts';
import { runMain } from '../../src/commands/run-main.ts';
import { failureOf } from '../../src/http/failure-of.ts';
import { listCopies, makeCopy } from '../../src/store/copies.ts';
import { openEmbedded } from '../../src/store/open-embedded.ts';
import { copyEmptyData } from '../copy-empty-data.ts';

let data: string;
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'skw-embedded-'));
  await copyEmptyData(data);
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test('a statement that takes too long is stopped, and the next ones work', async () => {
  const database = await openEmbedded(data);
  await database.run('create table things (id int)');
  await database.query('insert into things values (1)');
  const endless = 'select count(*) from generate_series(1, 1000000000000)';
  // Only this statement is in a hurry: the others have to write to the disk, which may be busy.
  const inTransaction = database.transaction(
    async (tx) => {
      await tx.query('insert into things values (2)');
      await tx.query(endless);
    },
    { statementTimeout: 3_000 },
  );
  let ticks = 0;
  const clock = setInterval(() => ticks++, 10);
  const failure = await inTransaction.catch(failureOf);
  clearInterval(clock);
  expect(failure).toMatchObject({ code: 'unavailable', status: 503, headers: { 'retry-after': '2' } });
  // The process went on while the statement ran.
  expect(ticks).toBeGreaterThan(10);
  expect(await database.query('select id from things')).toEqual([{ id: 1 }]);
  await database.close();
});

test('only its user can read the files, and they are written through to the disk', async () => {
  const database = await openEmbedded(join(data, 'made'));
  const settings = ['fsync', 'wal_sync_method', 'max_wal_size', 'full_page_writes', 'synchronous_commit'];
  const values = await database.query(
    'select name, setting from pg_settings where name = any($1::text[]) order by name',
    [settings],
  );
  await database.close();
  expect(values).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'max_wal_size', setting: '64' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'wal_sync_method', setting: 'fsync' },
  ]);
  const modeOf = (path: string) => statSync(join(data, path)).mode & 0o777;
  expect([modeOf('made'), modeOf('made/database')]).toEqual([0o700, 0o700]);
});

test('a creation that was interrupted starts again', async () => {
  // As if killed before the directory got its name.
  rmSync(join(data, 'database/PG_VERSION'));
  renameSync(join(data, 'database'), join(data, 'database.new'));
  const again = await openEmbedded(data);
  expect(await again.query('select 1 as one')).toEqual([{ one: 1 }]);
  await again.close();
  expect(readdirSync(data).toSorted()).toEqual(['database', 'lock']);
});

const child = fileURLToPath(new URL('hold-embedded.ts', import.meta.url));

/** Starts a process that opens the directory; resolves with its first line. */
function hold(program: string, args: readonly string[]) {
  const running = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = new Promise<string>((resolve) => {
    let text = '';
    running.stdout.on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text.trim());
    });
    running.stdout.on('end', () => resolve(text.trim()));
  });
  const ended = new Promise<void>((resolve) => running.on('exit', () => resolve()));
  return { running, line, ended };
}

test('a second process is refused, and a killed one leaves no lock', async () => {
  const first = hold(process.execPath, [child, data]);
  expect(await first.line).toBe('open');
  await expect(openEmbedded(data)).rejects.toThrow(
    `another process uses the data directory ${data}: process ${first.running.pid} on `,
  );
  first.running.kill('SIGKILL');
  await first.ended;
  const database = await openEmbedded(data);
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await expect(openEmbedded(data)).rejects.toThrow(`process ${process.pid} on `);
  await database.close();
  expect(existsSync(join(data, 'lock.json'))).toBe(false);
});

test('a process in another container is refused too', async (context) => {
  requireProgram(context, 'bwrap');
  const database = await openEmbedded(data);
  const container = [
    '--dev-bind',
    '/',
    '/',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-ipc',
  ];
  const other = hold('bwrap', [...container, '--hostname', 'other', process.execPath, child, data]);
  expect(await other.line).toMatch(/^another process uses the data directory/);
  await other.ended;
  await database.close();
});

test('copies roll, are named when the directory is damaged, and recover goes back to the newest', async () => {
  const database = await openEmbedded(data);
  await database.run('create table things (id int)');
  const paths = [];
  for (const day of [1, 2, 3, 4]) {
    await database.query('insert into things values ($1)', [day]);
    paths.push(await makeCopy(database, { data, keep: 2, now: new Date(Date.UTC(2026, 0, day)) }));
  }
  await database.close();
  expect(await listCopies(data)).toEqual([paths[3], paths[2]]);

  writeFileSync(join(data, 'database/global/pg_control'), 'damaged');
  await expect(openEmbedded(data)).rejects.toThrow(
    `Its newest copy is ${paths[3]}. To go back to it: recover --data ${data}`,
  );
  const lines: string[] = [];
  const code = await runMain(['recover', '--data', data], {
    env: {},
    out: (line) => lines.push(line),
    err: (line) => lines.push(line),
    stop: new AbortController().signal,
  });
  expect([code, lines]).toEqual([0, [expect.stringContaining(`went back to ${paths[3]}.`)]]);
  const recovered = await openEmbedded(data);
  expect(await recovered.query('select count(*) as count from things')).toEqual([{ count: 4 }]);
  expect(await recovered.query('select from log_origins where closed_at is not null')).toHaveLength(1);
  await recovered.close();
  expect(existsSync(join(data, 'recovered'))).toBe(false);
}, 300_000);
