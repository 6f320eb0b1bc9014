import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { rowsIn } from '../../../test/rows-in.ts';
import { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import type { AccessRow } from './access-log.ts';
import { closeLogs } from './access-log.ts';
import { type SyncOptions, syncLog } from './sync-log.ts';
import { appendLocally, listLocalLogs, localLogDirectory } from './write-access.ts';

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

/** A working directory with `count` rows in its local log, and a runtime directory they belong to. */
function waiting(count: number) {
  const root = makeDirectory({ base: { directory: true } });
  onTestFinished(closeLogs);
  const base = join(root, 'base');
  const local = localLogDirectory(base, 'demo');
  for (let number = 0; number < count; number++) appendLocally(local, { ...row, args: { number } });
  const runtime = join(root, 'runtime/demo');
  const log = join(runtime, '.skillc/logs.db');
  const options: SyncOptions = {
    locate: async () => runtime,
    dryRun: false,
    gone: 'leave',
    now: new Date('2026-01-02T04:00:00Z'),
    progress: () => {},
    report: () => {},
  };
  const numbers = () => rowsIn(log).map(({ args }) => JSON.parse(String(args)).number);
  return { root, base, local, runtime, log, options, numbers };
}

describe('syncLog', () => {
  test('merges every row unchanged, and leaves nothing behind', async () => {
    const { base, local, log, options } = waiting(2);
    expect(await syncLog(base, 'demo', options)).toEqual({
      skill: 'demo',
      source: local,
      destinations: [log],
      rows: 2,
      known: 0,
      damaged: 0,
      left: 0,
      dropped: 0,
    });
    expect(rowsIn(log)).toEqual([
      { id: 1, ...row, args: '{"number":0}' },
      { id: 2, ...row, args: '{"number":1}' },
    ]);
    expect(readdirSync(base)).toEqual([]);
    await expect(syncLog(base, 'demo', options)).resolves.toMatchObject({ rows: 0, destinations: [] });
  });

  test('leaves a project unchanged', async () => {
    const { base, options } = waiting(1);
    mkdirSync(join(base, '.skillc/skills'));
    await syncLog(base, 'demo', options);
    expect(readdirSync(join(base, '.skillc'))).toEqual(['skills']);
  });

  test('leaves the logs of other skills', async () => {
    const { base, options } = waiting(1);
    appendLocally(localLogDirectory(base, 'other'), row);
    expect(listLocalLogs(base)).toEqual(['demo', 'other']);
    await syncLog(base, 'demo', options);
    expect(listLocalLogs(base)).toEqual(['other']);
  });

  test('a dry run only counts', async () => {
    const { base, local, log, options, numbers } = waiting(3);
    const before = readFileSync(join(local, 'access.jsonl'), 'utf8');
    const dry = () => syncLog(base, 'demo', { ...options, dryRun: true });
    expect(await dry()).toMatchObject({ rows: 3, known: 0, destinations: [log] });
    expect([existsSync(log), readFileSync(join(local, 'access.jsonl'), 'utf8')]).toEqual([false, before]);
    await syncLog(base, 'demo', options);
    mkdirSync(local, { recursive: true });
    writeFileSync(join(local, 'access.jsonl'), before);
    appendLocally(local, { ...row, args: { number: 3 } });
    expect(await dry()).toMatchObject({ rows: 1, known: 3 });
    expect(numbers()).toEqual([0, 1, 2]);
  });

  test('does not merge a row twice', async () => {
    const { root, base, options, numbers } = waiting(3);
    cpSync(base, join(root, 'copy'), { recursive: true });
    await syncLog(base, 'demo', options);
    appendLocally(localLogDirectory(join(root, 'copy'), 'demo'), { ...row, args: { number: 3 } });
    expect(await syncLog(join(root, 'copy'), 'demo', options)).toMatchObject({ rows: 1, known: 3 });
    expect(numbers()).toEqual([0, 1, 2, 3]);
  });

  test('leaves rows written meanwhile for the next sync', async () => {
    const { base, local, options, numbers } = waiting(1);
    const progress = (step: string) => {
      if (step === 'taken') appendLocally(local, { ...row, args: { number: 1 } });
      if (step === 'committed') appendLocally(local, { ...row, args: { number: 2 } });
    };
    expect(await syncLog(base, 'demo', { ...options, progress })).toMatchObject({ rows: 1 });
    expect(await syncLog(base, 'demo', options)).toMatchObject({ rows: 2, known: 0 });
    expect(numbers()).toEqual([0, 1, 2]);
    expect(readdirSync(base)).toEqual([]);
  });

  test('counts invalid lines, and still merges the rest', async () => {
    const { base, local, options, numbers } = waiting(1);
    const lines = [
      '{"uid":"x"}',
      'null',
      '{',
      JSON.stringify({ ...row, uid: crypto.randomUUID(), timestamp: 'x' }),
    ];
    writeFileSync(join(local, 'access.jsonl'), `${lines.join('\n')}{"cut of`, { flag: 'a' });
    appendLocally(local, { ...row, args: { number: 1 } });
    expect(await syncLog(base, 'demo', options)).toMatchObject({ rows: 2, damaged: 4 });
    expect(numbers()).toEqual([0, 1]);
  });

  test('skills of one name have separate logs; a missing skill does not block the rest', async () => {
    const { root, base, local, log, options, numbers } = waiting(1);
    appendLocally(local, { ...row, skill_path: '/t/demo', args: { number: 1 } });
    appendLocally(local, { ...row, skill_path: '/gone/demo', args: { number: 2 } });
    let isBack = false;
    const locate = async (path: string) => {
      if (path === '/gone/demo' && !isBack) throw SkillwrightError.of('E001', { skill: path });
      return join(root, 'runtime', path === '/t/demo' ? 'second' : 'demo');
    };
    expect(await syncLog(base, 'demo', { ...options, locate })).toMatchObject({
      rows: 2,
      left: 1,
      dropped: 0,
    });
    const second = join(root, 'runtime/second/.skillc/logs.db');
    expect([numbers(), rowsIn(second).length]).toEqual([[0], 1]);
    isBack = true;
    expect(await syncLog(base, 'demo', { ...options, locate })).toMatchObject({
      destinations: [log, second, log],
      rows: 1,
      known: 2,
    });
    expect([numbers(), rowsIn(second).length, readdirSync(base)]).toEqual([[0, 2], 1, []]);
  });
});

describe('a failed sync loses nothing', () => {
  test('E041: a destination that cannot be written', async () => {
    const { root, base, options, numbers } = waiting(2);
    writeFileSync(join(root, 'runtime'), '');
    await expect(syncLog(base, 'demo', options)).rejects.toThrow(
      expect.objectContaining({
        code: 'E041',
        message: `sync destination not writable: '${join(root, 'runtime/demo/.skillc/logs.db')}'`,
      }),
    );
    const runtime = join(root, 'elsewhere/demo');
    await syncLog(base, 'demo', { ...options, locate: async () => runtime });
    expect([numbers(), rowsIn(join(runtime, '.skillc/logs.db')).length]).toEqual([[], 2]);
  });

  test('E042: a local log that cannot be read', async (context) => {
    const { root, base, local, options } = waiting(2);
    const file = join(local, 'access.jsonl');
    chmodSync(root, 0o755);
    chmodSync(file, 0);
    const dry = { ...options, dryRun: true };
    const failure = asNobody(context, () => syncLog(base, 'demo', dry));
    await expect(failure).rejects.toThrow(
      expect.objectContaining({ code: 'E042', message: `sync source not readable: '${file}'` }),
    );
    chmodSync(file, 0o600);
    expect(await syncLog(base, 'demo', options)).toMatchObject({ rows: 2 });
  });

  test('moves a damaged destination to the backups', async () => {
    const { base, runtime, log, options, numbers } = waiting(2);
    mkdirSync(join(runtime, '.skillc'), { recursive: true });
    writeFileSync(log, 'x'.repeat(5000));
    expect(await syncLog(base, 'demo', options)).toMatchObject({ rows: 2 });
    expect(numbers()).toEqual([0, 1]);
    closeLogs();
    expect(readdirSync(join(runtime, '.skillc'))).toEqual(['backups', 'logs.db']);
    expect(readdirSync(join(runtime, '.skillc/backups'))).toEqual(['demo-logs.db-20260102T040000Z']);
  });
});

describe('a sync that is killed and run again merges each row once', () => {
  test.each(['taken', 'written', 'committed'])('%s', async (moment) => {
    const { base, runtime, local, options, numbers } = waiting(50);
    const program = `
      const { syncLog } = await import(${JSON.stringify(new URL('sync-log.ts', import.meta.url).href)});
      const { DatabaseSync } = await import('node:sqlite');
      const [base, runtime, moment] = process.argv.slice(1);
      const die = () => process.kill(process.pid, 'SIGKILL');
      const exec = DatabaseSync.prototype.exec;
      DatabaseSync.prototype.exec = function (sql) {
        if (moment === 'written' && sql === 'COMMIT') die();
        return exec.call(this, sql);
      };
      const progress = (step) => step === moment && die();
      await syncLog(base, 'demo', { locate: async () => runtime, dryRun: false, now: new Date(0), progress });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, base, runtime, moment]);
    const [, signal] = await once(child, 'close');
    expect(signal).toBe('SIGKILL');
    expect(numbers().length).toBe(moment === 'committed' ? 50 : 0);
    appendLocally(local, { ...row, args: { number: 50 } });
    const known = moment === 'committed' ? 50 : 0;
    expect(await syncLog(base, 'demo', options)).toMatchObject({ rows: 51 - known, known });
    expect(numbers()).toEqual(Array.from({ length: 51 }, (_, number) => number));
    expect(readdirSync(base)).toEqual([]);
  });
});
