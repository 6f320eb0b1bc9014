import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { rowsIn } from '../../../test/rows-in.ts';
import type { AccessRow } from './access-log.ts';
import { closeLogs } from './access-log.ts';
import { syncLog } from './sync-log.ts';
import { localLogDirectory } from './write-access.ts';

const row: AccessRow = {
  timestamp: '2026-01-02T03:04:05.678Z',
  run_id: 'run-1',
  command: 'show',
  skill: 'demo',
  skill_path: '/s/demo',
  cwd: '/p',
  args: { number: 0 },
  error: null,
  bytes: 1,
  tokens: 2,
  duration_ms: 3.5,
};

const rows = 200;

test(`writers of ${rows} rows each and syncs at once: every row is merged once`, async () => {
  const root = makeDirectory({ base: { directory: true } });
  onTestFinished(closeLogs);
  const base = join(root, 'base');
  const local = localLogDirectory(base, 'demo');
  const runtime = join(root, 'runtime/demo');
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const writer = `
    const { appendLocally } = await import(${url('write-access.ts')});
    const [local, row, first] = process.argv.slice(1);
    for (let number = 0; number < ${rows}; number++)
      appendLocally(local, { ...JSON.parse(row), args: { number: Number(first) + number } });`;
  const syncer = `
    const { syncLog } = await import(${url('sync-log.ts')});
    const [base, runtime] = process.argv.slice(1);
    const options = { locate: async () => runtime, dryRun: false,
    gone: 'leave', progress: () => {}, report: () => {} };
    for (let round = 0; round < 30; round++)
      await syncLog(base, 'demo', { ...options, now: new Date() }).catch((error) => {
        if (error.code !== 'E040') throw error;
      });`;
  const run = async (program: string, ...words: string[]) => {
    const stdio = ['ignore', 'inherit', 'inherit'] as const;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...words], {
      stdio: [...stdio],
    });
    const [status] = await once(child, 'close');
    return status;
  };
  const writers = Array.from({ length: 4 }, (_, index) => index * rows);
  const statuses = await Promise.all([
    ...writers.map((first) => run(writer, local, JSON.stringify(row), String(first))),
    run(syncer, base, runtime),
    run(syncer, base, runtime),
  ]);
  expect(statuses).toEqual(statuses.map(() => 0));
  await syncLog(base, 'demo', {
    locate: async () => runtime,
    gone: 'leave',
    dryRun: false,
    now: new Date(),
    report: () => {},
    progress: () => {},
  });
  const numbers = rowsIn(join(runtime, '.skillc/logs.db')).map(({ args }) => JSON.parse(String(args)).number);
  expect(numbers.sort((a, b) => a - b)).toEqual(
    Array.from({ length: writers.length * rows }, (_, number) => number),
  );
});
