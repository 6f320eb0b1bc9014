// The access log, stats and sync as the tests of skillc expect them. A case in which we differ names the ruling in
// docs/decisions/0011-differences-from-skillc.md.

import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../make-world.ts';
import { rowsIn } from '../rows-in.ts';

const logged = { env: { SKC_NO_LOG: '', SKC_RUN_ID: 'RUN-7' } };
const runtime = '.skillc/runtime';
const rich = {
  '.skillc/skills/guide/SKILL.md': skillText('guide', '# Guide\n\n## Reference\n\nAll calls.\n'),
  '.skillc/skills/guide/docs/deep.md': '# Deep Water\n\n## Speed\n\nSpeed hints here.\n',
};
const small = (name: string) => ({ [`.skillc/skills/${name}/SKILL.md`]: skillText(name) });
const has = (world: World, path: string) => existsSync(join(world.project, path));
const inHome = (world: World, path: string) => existsSync(join(world.home, path));

describe('usage', () => {
  async function used(): Promise<{ world: World; rows: Record<string, unknown>[] }> {
    const world = makeWorld(rich);
    await world.run(['build', 'guide', '--target', 'none']);
    await world.run(['outline', 'guide'], logged);
    await world.run(['show', 'guide', '-s', 'Reference'], logged);
    await world.run(['open', 'guide', 'docs/deep.md'], logged);
    await world.run(['show', 'guide', '-s', 'Nowhere'], logged);
    for (const query of ['speed', 'calls', 'speed']) await world.run(['search', 'guide', query], logged);
    return { world, rows: rowsIn(join(world.project, runtime, 'guide/.skillc/logs.db')) };
  }
  test('every access is a row with its command, skill, run and error', async () => {
    const { rows } = await used();
    expect(rows.map(({ command }) => command)).toEqual([
      'outline',
      'show',
      'open',
      'show',
      'search',
      'search',
      'search',
    ]);
    expect(new Set(rows.map(({ run_id }) => run_id))).toEqual(new Set(['RUN-7']));
    expect(rows.every(({ skill_path }) => String(skill_path).endsWith('/guide'))).toBe(true);
    expect(rows.map(({ error }) => error !== null)).toEqual([false, false, false, true, false, false, false]);
  });
  test('stats: the summary as text and JSON', async () => {
    const { world } = await used();
    const { query, data } = (await world.run(['stats', 'guide', '--json'])).json() as {
      query: string;
      data: Record<string, number>;
    };
    expect([query, data.total_accesses, data.error_count]).toEqual(['summary', 7, 1]);
    expect((await world.run(['stats', 'guide'])).stdout).toContain('7');
  });
  test.each(['sections', 'files', 'commands', 'projects', 'errors', 'search'])(
    'stats --group-by %s',
    async (group) => {
      const { world } = await used();
      const { query, data } = (await world.run(['stats', 'guide', '-b', group, '--json'])).json() as {
        query: string;
        data: unknown[];
      };
      expect([query, data.length > 0]).toEqual([group, true]);
    },
  );
});

describe('sync', () => {
  /** A local log of `count` rows of each skill. */
  function local(world: World, name: string, { count = 2, from = 0 } = {}): string {
    const dir = `.skillc/logs/${name}`;
    const rows = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        uid: `00000000-0000-4000-8000-${String(from + index).padStart(12, '0')}`,
        timestamp: `2026-01-02T01:00:0${from + index}.000Z`,
        run_id: 'r',
        command: 'outline',
        skill: name,
        skill_path: join(world.project, '.skillc/skills', name),
        cwd: '/',
        args: {},
        error: null,
        bytes: 0,
        tokens: 0,
        duration_ms: 0,
      }),
    );
    world.write({ [`${dir}/access.jsonl`]: `${rows.join('\n')}\n` });
    return dir;
  }
  const rowsOf = (world: World, name: string) =>
    rowsIn(join(world.project, runtime, name, '.skillc/logs.db')).length;
  const two = { ...small('alpha'), ...small('beta') };

  test('rows go to the log of the skill, and the local log goes', async () => {
    const world = makeWorld(two);
    const dir = local(world, 'alpha', { count: 5 });
    const { status, stdout } = await world.run(['sync']);
    expect([status, stdout.slice(0, 20)]).toEqual([0, 'alpha: 5 rows merged']);
    expect([has(world, dir), rowsOf(world, 'alpha')]).toEqual([false, 5]);
  });
  test('--dry-run', async () => {
    const world = makeWorld(two);
    const dir = local(world, 'alpha');
    expect((await world.run(['sync', '--dry-run'])).stdout).toContain('2 rows to merge');
    expect(readdirSync(join(world.project, dir))).toEqual(['access.jsonl']);
  });
  test('nothing to do is success', async () => {
    expect((await makeWorld(two).run(['sync'])).status).toBe(0);
  });
  test('one skill alone', async () => {
    const world = makeWorld(two);
    local(world, 'alpha');
    const other = local(world, 'beta');
    await world.run(['sync', 'alpha']);
    expect([rowsOf(world, 'alpha'), has(world, other)]).toEqual([2, true]);
  });
  test('an unknown name is E040', async () => {
    const { status, stderr } = await makeWorld(two).run(['sync', 'nobody']);
    expect([status, stderr.slice(0, 11)]).toEqual([1, 'error[E040]']);
  });
  test('several skills at once', async () => {
    const world = makeWorld(two);
    local(world, 'alpha');
    local(world, 'beta', { count: 3 });
    await world.run(['sync']);
    expect([rowsOf(world, 'alpha'), rowsOf(world, 'beta')]).toEqual([2, 3]);
  });
  test('what has come once does not come again', async () => {
    const world = makeWorld(two);
    local(world, 'alpha', { count: 3 });
    await world.run(['sync']);
    local(world, 'alpha', { count: 5 });
    expect((await world.run(['sync'])).stdout).toContain('2 rows merged, 3 already there');
    expect(rowsOf(world, 'alpha')).toBe(5);
  });
  test('R10: rows of a skill that is gone stay where they are until --gone says otherwise', async () => {
    const world = makeWorld(two);
    const dir = local(world, 'deleted');
    expect((await world.run(['sync'])).status).toBe(0);
    expect(has(world, dir)).toBe(true);
    await world.run(['sync', '--gone', 'keep']);
    expect([has(world, dir), inHome(world, `${runtime}/deleted/.skillc/logs.db`)]).toEqual([false, true]);
  });
  test('R11: local logs are lines, because many processes append to them; a database of skillc is left alone', async () => {
    const world = makeWorld({ ...two, '.skillc/logs/alpha/.skillc-meta/logs.db': 'SQLite' });
    expect((await world.run(['sync'])).status).toBe(0);
    expect(world.read('.skillc/logs/alpha/.skillc-meta/logs.db')).toBe('SQLite');
  });
  test('old local logs are warned of once, fresh ones not at all', async () => {
    const world = makeWorld({ ...two, ...rich });
    const blocked = join(world.project, runtime, 'guide/.skillc/logs.db');
    mkdirSync(blocked, { recursive: true });
    const fresh = await world.run(['outline', 'guide'], logged);
    const lines = join(world.project, '.skillc/logs/guide/access.jsonl');
    world.write({
      '.skillc/logs/guide/access.jsonl': readFileSync(lines, 'utf8').replaceAll(
        '2026-01-02T03',
        '2026-01-01T03',
      ),
    });
    utimesSync(lines, 0, 0);
    const old = await world.run(['outline', 'guide'], logged);
    expect([fresh.stderr.match(/W003/g), old.stderr.match(/W003/g)?.length]).toEqual([null, 1]);
  });
});
