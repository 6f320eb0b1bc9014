import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { rowsIn } from '../../../test/rows-in.ts';
import { orUndefined } from '../../base/diagnostics/index.ts';
import type { LoggedAccess } from './access-log.ts';
import { closeLogs } from './access-log.ts';
import { type AccessPlace, writeAccess } from './write-access.ts';

const access: LoggedAccess = {
  command: 'show',
  skill: 'demo',
  skill_path: '/s/demo',
  args: { section: ['Steps'], sections: [{ file: 'SKILL.md', section: 'Steps' }] },
  error: null,
  bytes: 120,
  tokens: 30,
  duration_ms: 1.25,
};

const row = {
  timestamp: '2026-01-02T03:04:05.678Z',
  run_id: 'run-1',
  command: 'show',
  skill: 'demo',
  skill_path: '/s/demo',
  cwd: '<cwd>',
  args: '{"section":["Steps"],"sections":[{"file":"SKILL.md","section":"Steps"}]}',
  error: null,
  bytes: 120,
  tokens: 30,
  duration_ms: 1.25,
};

/** A runtime directory and a working directory accessible to all users; logs are closed after the test. */
function place(): AccessPlace & { root: string; log: string; local: string } {
  const root = makeDirectory({ cwd: { directory: true } });
  onTestFinished(closeLogs);
  chmodSync(root, 0o755);
  return {
    root,
    runtime: join(root, 'runtime/demo'),
    cwd: join(root, 'cwd'),
    env: { SKC_RUN_ID: 'run-1' },
    now: new Date('2026-01-02T03:04:05.678Z'),
    log: join(root, 'runtime/demo/.skillc/logs.db'),
    local: join(root, 'cwd/.skillc/logs/demo/access.jsonl'),
  };
}

const shownRows = (given: ReturnType<typeof place>) =>
  rowsIn(given.log).map(({ cwd, ...rest }) => ({
    ...rest,
    cwd: String(cwd).replace(given.cwd, '<cwd>'),
  }));

describe('the log of a skill', () => {
  test('has one row for each access, and makes its directory', () => {
    const given = place();
    expect(writeAccess(access, given)).toEqual([]);
    expect(writeAccess({ ...access, command: 'open', error: 'E021', args: {} }, given)).toEqual([]);
    expect(shownRows(given)).toEqual([
      { id: 1, ...row },
      { id: 2, ...row, command: 'open', error: 'E021', args: '{}' },
    ]);
    expect(readdirSync(given.cwd)).toEqual([]);
  });

  test('is in WAL mode, and a single file while not open', () => {
    const given = place();
    writeAccess(access, given);
    closeLogs();
    expect(readdirSync(join(given.runtime, '.skillc'))).toEqual(['logs.db']);
    // The two version bytes of the header mean WAL.
    expect([...readFileSync(given.log).subarray(18, 20)]).toEqual([2, 2]);
  });

  test('is created again when the open file was deleted', () => {
    const given = place();
    writeAccess(access, given);
    rmSync(given.runtime, { recursive: true });
    writeAccess(access, given);
    expect(shownRows(given)).toEqual([{ id: 1, ...row }]);
  });

  test('limits the number of open logs', () => {
    const given = place();
    for (let index = 0; index < 150; index++)
      writeAccess(access, { ...given, runtime: `${given.runtime}-${index % 75}` });
    expect(rowsIn(join(`${given.runtime}-3`, '.skillc/logs.db')).length).toBe(2);
    expect(readdirSync(join(`${given.runtime}-3`, '.skillc'))).toContain('logs.db');
    // Other tests of this process may have files open too.
    const open = readdirSync('/proc/self/fd').flatMap((name) => {
      const path = orUndefined(() => readlinkSync(`/proc/self/fd/${name}`));
      return path?.startsWith(given.runtime) && path.endsWith('logs.db') ? [path] : [];
    });
    expect(new Set(open).size).toBe(64);
  });

  test('a run without SKC_RUN_ID gets an id, the same for all its accesses', () => {
    const given = place();
    writeAccess(access, { ...given, env: {} });
    writeAccess(access, { ...given, env: { SKC_RUN_ID: '' } });
    const ids = rowsIn(given.log).map(({ run_id }) => run_id);
    expect(ids[0]).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{4}$/);
    expect(ids[1]).toBe(ids[0]);
  });
});

describe('moves a damaged log to the backups and logs the access in a new one', () => {
  test.each([
    ['no database', () => Buffer.from('not a database, and never was one'.repeat(20))],
    ['cut off', (whole: Buffer) => whole.subarray(0, 4096)],
    [
      'overwritten',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 7)]),
    ],
  ])('%s', (_, damage) => {
    const given = place();
    writeAccess(access, given);
    closeLogs();
    const damaged = damage(readFileSync(given.log));
    writeFileSync(given.log, damaged);
    const kept = join(
      given.runtime,
      '.skillc/backups',
      `${basename(given.runtime)}-logs.db-20260102T030405Z`,
    );
    const said = writeAccess(access, given);
    expect(said.map(({ code, message }) => [code, message.endsWith(`; kept as '${kept}'`)])).toEqual([
      ['W009', true],
    ]);
    expect(shownRows(given)).toEqual([{ id: 1, ...row }]);
    closeLogs();
    expect(readdirSync(join(given.runtime, '.skillc'))).toEqual(['backups', 'logs.db']);
    expect(readFileSync(kept)).toEqual(damaged);
  });

  test('an empty file is a log without rows yet', () => {
    const given = place();
    mkdirSync(join(given.runtime, '.skillc'), { recursive: true });
    writeFileSync(given.log, '');
    expect(writeAccess(access, given)).toEqual([]);
    expect(shownRows(given)).toEqual([{ id: 1, ...row }]);
  });
});

describe('falls back to the local log when the log cannot be written', () => {
  const localRows = (given: ReturnType<typeof place>) =>
    readFileSync(given.local, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { uid, cwd, args, ...rest } = JSON.parse(line);
        expect(uid).toMatch(/^[0-9a-f-]{36}$/);
        return { ...rest, args: JSON.stringify(args), cwd: cwd.replace(given.cwd, '<cwd>') };
      });

  test('a read-only runtime directory', (context) => {
    const given = place();
    mkdirSync(given.runtime, { recursive: true });
    chmodSync(given.cwd, 0o777);
    expect(asNobody(context, () => writeAccess(access, given))).toEqual([]);
    expect(asNobody(context, () => writeAccess(access, given))).toEqual([]);
    expect(localRows(given)).toEqual([row, row]);
    expect(readFileSync(join(given.cwd, '.skillc/logs/.gitignore'), 'utf8')).toBe('*\n');
    expect(existsSync(given.log)).toBe(false);
  });

  test('a read-only log', (context) => {
    const given = place();
    writeAccess(access, given);
    closeLogs();
    for (const path of [given.runtime, join(given.runtime, '.skillc')]) chmodSync(path, 0o755);
    chmodSync(given.log, 0o644);
    chmodSync(given.cwd, 0o777);
    expect(asNobody(context, () => writeAccess(access, given))).toEqual([]);
    expect(localRows(given)).toEqual([row]);
  });

  test.each([
    ['a file where the runtime directory belongs', (given: { root: string }) => join(given.root, 'runtime')],
    ['a directory where the log belongs', undefined],
  ])('%s', (_, file) => {
    const given = place();
    if (file === undefined) mkdirSync(given.log, { recursive: true });
    else writeFileSync(file(given), '');
    expect(writeAccess(access, given)).toEqual([]);
    expect(localRows(given)).toEqual([row]);
  });

  test('a full disk', (context) => {
    const given = place();
    const full = mountTiny(context, join(given.root, 'runtime'));
    writeFileSync(join(full, 'filler'), Buffer.alloc(64 * 1024));
    expect(writeAccess(access, given)).toEqual([]);
    expect(localRows(given)).toEqual([row]);
  });

  test('no log at all: warns and says why', (context) => {
    const given = place();
    mkdirSync(given.runtime, { recursive: true });
    expect(asNobody(context, () => writeAccess(access, given))).toEqual([
      { code: 'W002', severity: 'warning', message: 'logging disabled: permission denied' },
    ]);
    expect(readdirSync(given.cwd)).toEqual([]);
  });

  test.each([
    [59, []],
    [61, [{ code: 'W003', severity: 'warning', message: "stale local logs, run 'skc sync'" }]],
  ])('rows that wait for %i minutes', (minutes, warnings) => {
    const given = place();
    mkdirSync(given.log, { recursive: true });
    expect(writeAccess(access, given)).toEqual([]);
    const now = new Date(given.now.getTime() + minutes * 60_000);
    expect(writeAccess(access, { ...given, now })).toEqual(warnings);
    // Also when the log itself can be written again.
    rmSync(given.log, { recursive: true });
    expect(writeAccess(access, { ...given, now })).toEqual(warnings);
    expect(rowsIn(given.log).length).toBe(1);
  });
});

/** A file system of 64 KiB. Only root can make one. */
function mountTiny(context: TestContext, path: string): string {
  mkdirSync(path);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path]).status === 0;
  if (!mounted) return context.skip('a small file system can only be made by root');
  onTestFinished(() => {
    closeLogs();
    spawnSync('umount', ['-l', path]);
  });
  return path;
}
