// The access log as a user meets it: what commands leave behind, what stats tells, what sync brings home.

import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { estimateTokens } from '../src/base/tokens/estimate-tokens.ts';
import { rowsIn, rowsInCache } from './rows-in.ts';
import { type SkcOptions, skc } from './run-in-process.ts';

// Texts have times in them, and the executable has the clock of the machine.
beforeEach(() => void vi.stubEnv('SKC_TEST_PROGRAM', undefined));

const demo = `---
name: demo
description: Fills in forms. Use when the user has a form to fill in.
---

# Demo

Look at the form first.

## Steps

Fill in one field after the other.

## Limits

No signatures.
`;

const files = {
  '.skillc/skills/demo/SKILL.md': demo,
  '.skillc/skills/demo/references/fields.md': '# Fields\n\nDates.\n',
};

/** A project with the built skill, and a way to run commands in it. */
async function project(more: Record<string, string> = {}) {
  const { dir, home } = await skc(['build', 'demo', '-t', 'none'], {
    files: { ...files, ...more },
    env: { SKC_NO_LOG: '1' },
  });
  const log = join(dir, '.skillc/runtime/demo/.skillc/logs.db');
  const run = (words: string[], options: SkcOptions = {}) =>
    skc(words, { cwd: dir, home, env: { SKC_RUN_ID: 'r' }, ...options });
  return { dir, home, log, run };
}

describe('what is recorded', () => {
  test.each([
    [['show', 'demo', '-s', 'steps'], null, { sections: [{ file: 'SKILL.md', section: 'Steps' }] }],
    [['show', 'demo', '-s', 'Nope'], 'E020', {}],
    [['open', 'demo', 'references/fields.md'], null, { files: ['references/fields.md'] }],
    [['open', 'demo', '../../config.toml'], 'E012', {}],
    [['outline', 'demo', '--level', '2'], null, { level: 2 }],
    [['sources', 'demo'], null, { limit: 100 }],
    [['search', 'demo', 'xyzzy'], null, { query: ['xyzzy'], results: 0 }],
    [['build', 'demo', '-t', 'none'], null, { status: 'unchanged' }],
  ])('skc %j', async (words, error, args) => {
    const { dir, log, run } = await project();
    const { stdout } = await run(words);
    const [row, ...more] = rowsIn(log);
    expect(more).toEqual([]);
    const served = words[0] === 'build' ? 0 : Buffer.byteLength(error === null ? stdout : '');
    expect({ ...row, args: JSON.parse(String(row!.args)) }).toEqual({
      id: 1,
      timestamp: '2026-01-02T03:04:05.000Z',
      run_id: 'r',
      command: words[0],
      skill: 'demo',
      skill_path: join(dir, '.skillc/skills/demo'),
      cwd: dir,
      args: expect.objectContaining(args),
      error,
      bytes: served,
      tokens: served === 0 ? 0 : expect.any(Number),
      duration_ms: expect.any(Number),
    });
  });

  test.each([
    [['show', '--help']],
    [['help', 'show']],
    [['show', 'demo']],
    [['show', 'nothing', '-s', 'Steps']],
    [['lint', 'demo']],
    [['list']],
    [['stats', 'demo']],
  ])('nothing for skc %j', async (words) => {
    const { dir, run } = await project();
    await run(words);
    expect(
      readdirSync(join(dir, '.skillc/runtime/demo/.skillc')).some((name) => name.startsWith('logs')),
    ).toBe(false);
  });

  test('nothing when the user does not want it', async () => {
    const first = await project();
    await first.run(['show', 'demo', '-s', 'Steps'], { env: { SKC_NO_LOG: '1' } });
    expect(existsSync(first.log)).toBe(false);
    const second = await project({ '~/.skillc/config.toml': '[usage]\nenabled = false\n' });
    expect((await second.run(['show', 'demo', '-s', 'Steps'])).status).toBe(0);
    expect(existsSync(second.log)).toBe(false);
  });

  test('a project cannot switch it off', async () => {
    const { run, log } = await project({ '.skillc/config.toml': '[usage]\nenabled = false\n' });
    const { status, stderr } = await run(['show', 'demo', '-s', 'Steps']);
    expect([status, stderr]).toEqual([0, expect.stringContaining('may set usage.enabled')]);
    expect(existsSync(log)).toBe(true);
  });

  test('a broken configuration closes every skill, for its rules are unknown, and logs nothing', async () => {
    const { dir, log, run } = await project();
    writeFileSync(join(dir, '.skillc/config.toml'), '[gateway]\nbudget = "perhaps"\n');
    const { status, stderr } = await run(['outline', 'demo']);
    expect(stderr).toContain('error[E110]: invalid configuration: <cwd>/.skillc/config.toml:2');
    expect([status, existsSync(log)]).toEqual([1, false]);
  });

  test('a skill that was never built has a log too, and is still not built', async () => {
    const { dir, home } = await skc(['outline', './demo'], { files: { 'demo/SKILL.md': demo } });
    expect(rowsInCache(home, 'demo').length).toBe(1);
    expect((await skc(['list', '--json'], { cwd: dir, home })).json()).toMatchObject({ skills: [] });
    expect((await skc(['build', './demo', '-t', 'none'], { cwd: dir, home })).stdout).toMatch(
      /^demo: created/,
    );
  });
});

describe('lines served', () => {
  const twins = `---
name: twins
description: Two headings with one text. Use for tests.
---

# Twins

Intro.

## Example

First.

## Other

Text.

## Example

Second.
`;
  const reads = async (commands: readonly string[][]) => {
    const { dir, home } = await skc(['build', 'twins', '-t', 'none'], {
      files: { '.skillc/skills/twins/SKILL.md': twins },
    });
    const run = (words: string[]) => skc(words, { cwd: dir, home, env: { SKC_RUN_ID: 'r' } });
    for (const words of commands) expect((await run(words)).status).toBe(0);
    const { data } = (await run(['stats', 'twins', '-b', 'sections', '--json'])).json() as {
      data: { anchor: string; count: number; asked: number; lines: number }[];
    };
    return Object.fromEntries(data.map(({ anchor, count, asked, lines }) => [anchor, [count, asked, lines]]));
  };

  test.each([
    [[['show', 'twins', '-s', 'Twins']], [1, 1, 4], [1, 0, 4], [1, 0, 4], [1, 0, 3]],
    [[['show', 'twins', '-s', '#example-1']], [0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 3]],
    [[['show', 'twins', '-s', 'Twins', '--max-lines', '6']], [1, 1, 4], [1, 0, 2], [0, 0, 0], [0, 0, 0]],
    [[['open', 'twins', 'SKILL.md']], [1, 0, 4], [1, 0, 4], [1, 0, 4], [1, 0, 3]],
    [[['open', 'twins', 'SKILL.md', '--lines', '14-17']], [0, 0, 0], [0, 0, 0], [1, 0, 4], [0, 0, 0]],
    [[['load', 'twins']], [1, 0, 4], [1, 0, 4], [1, 0, 4], [1, 0, 3]],
    [
      [
        ['build', 'twins', '-t', 'none'],
        ['outline', 'twins'],
      ],
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
  ])('%j', async (commands, intro, first, other, second) => {
    expect(await reads(commands)).toEqual({
      twins: intro,
      example: first,
      other,
      'example-1': second,
    });
  });

  test('rows from before lines were counted follow the headings', async () => {
    const { dir, log, run } = await project();
    await run(['outline', 'demo']);
    const database = new DatabaseSync(log);
    database
      .prepare("UPDATE access_log SET command = 'show', args = ?")
      .run('{"section":["Demo"],"sections":[{"file":"SKILL.md","section":"Demo"}]}');
    database.close();
    const { data } = (await run(['stats', 'demo', '-b', 'sections', '--json'])).json() as {
      data: { section: string; count: number; asked: number }[];
    };
    expect([existsSync(dir), data.map(({ section, count, asked }) => [section, count, asked])]).toEqual([
      true,
      [
        ['Demo', 1, 1],
        ['Limits', 1, 0],
        ['Steps', 1, 0],
        ['Fields', 0, 0],
      ],
    ]);
  });
});

describe('tokens saved', () => {
  test('count SKILL.md and each opened file once per session, whatever was read how often', async () => {
    const { dir, log, run } = await project();
    for (const id of ['a', 'a', 'b']) {
      const env = { SKC_RUN_ID: id };
      await run(['show', 'demo', '-s', 'Steps'], { env });
      await run(['open', 'demo', 'references/fields.md'], { env });
      await run(['search', 'demo', 'dates'], { env });
    }
    // A second way, from the rows and the files alone.
    const sizeOf = (file: string) =>
      estimateTokens(readFileSync(join(dir, '.skillc/skills/demo', file), 'utf8'));
    const rows = rowsIn(log).filter(({ command }) => command !== 'build');
    const served = rows.reduce((sum, { tokens }) => sum + Number(tokens), 0);
    const sessions = new Set(rows.map(({ run_id: id }) => id)).size;
    const whole = sessions * (sizeOf('SKILL.md') + sizeOf('references/fields.md'));
    const { data } = (await run(['stats', 'demo', '--json'])).json() as {
      data: { tokens_saved: number; tokens_served: number };
    };
    expect([sessions, data.tokens_served, data.tokens_saved]).toEqual([2, served, whole - served]);
  });
});

describe('stats', () => {
  const head = (query: string) => ({
    skill: 'demo',
    skill_path: '<cwd>/.skillc/skills/demo',
    query,
    filters: { since: null, until: null, projects: [] },
    period: { start: '2026-01-02T03:04:05.000Z', end: '2026-01-02T03:04:05.000Z' },
  });

  async function used() {
    const given = await project();
    await given.run(['show', 'demo', '-s', 'Steps']);
    await given.run(['show', 'demo', '-s', 'steps', '-s', 'Limits']);
    await given.run(['show', 'demo', '-s', 'Nope']);
    await given.run(['search', 'demo', 'xyzzy']);
    return given;
  }

  test('the summary', async () => {
    const { run } = await used();
    const result = await run(['stats', 'demo', '--json']);
    expect(result.json()).toEqual({
      ...head('summary'),
      data: {
        total_accesses: 4,
        unique_sections: 2,
        unique_files: 1,
        error_count: 1,
        tokens_served: 64,
        tokens_saved: -6,
      },
    });
    expect((await run(['stats', 'demo'])).stdout).toBe(`demo  2026-01-02

accesses        4
sections read   2
files read      1
errors          1
tokens served  64
tokens saved   -6

tokens saved: what a host without skc would have put into the context, once per
session (SKILL.md and the files that were opened), minus what skc served
`);
  });

  test('sections, those never read included', async () => {
    const { run } = await used();
    expect((await run(['stats', 'demo', '-b', 'sections', '--json'])).json()).toEqual({
      ...head('sections'),
      data: [
        { file: 'SKILL.md', section: 'Steps', anchor: 'steps', count: 2, asked: 2, lines: 8 },
        { file: 'SKILL.md', section: 'Limits', anchor: 'limits', count: 1, asked: 1, lines: 3 },
        { file: 'SKILL.md', section: 'Demo', anchor: 'demo', count: 0, asked: 0, lines: 0 },
        { file: 'references/fields.md', section: 'Fields', anchor: 'fields', count: 0, asked: 0, lines: 0 },
      ],
    });
    expect((await run(['stats', 'demo', '-b', 'sections'])).stdout).toBe(`demo  2026-01-02

READS  ASKED  SECTION  FILE
    2      2  Steps    SKILL.md
    1      1  Limits   SKILL.md
    0      0  Demo     SKILL.md
    0      0  Fields   references/fields.md

2 of 4 sections were never read
`);
  });

  test.each([
    ['files', 'READS  FILE\n    2  SKILL.md\n'],
    ['errors', 'TIMES  CODE  COMMAND  REQUEST\n    1  E020  show     Nope\n'],
    ['search', 'TIMES  FOUND NOTHING  QUERY\n    1              1  xyzzy\n'],
    [
      'days',
      'DAY         CALLS  ERRORS  TOKENS SERVED  TOKENS SAVED\n2026-01-02      4       1             64            -6\n',
    ],
  ])('%s as a table', async (group, table) => {
    const { run } = await used();
    expect((await run(['stats', 'demo', '-b', group])).stdout).toBe(`demo  2026-01-02\n\n${table}`);
  });

  test.each(['commands', 'projects', 'errors', 'search', 'days', 'files'])('%s as JSON', async (group) => {
    const { run } = await used();
    const { data, ...rest } = (await run(['stats', 'demo', '-b', group, '--json'])).json() as {
      data: unknown[];
    };
    expect([rest, data.length]).toEqual([head(group), group === 'commands' ? 2 : 1]);
  });

  test('filters are told as they were understood', async () => {
    const { run } = await used();
    const words = [
      'stats',
      'demo',
      '--json',
      '--since',
      '2026-01-02',
      '--until',
      '2026-01-02T04:04:04+01:00',
    ];
    expect((await run([...words, '--project', '.'])).json()).toEqual({
      ...head('summary'),
      filters: { since: '2026-01-02T00:00:00.000Z', until: '2026-01-02T03:04:04.000Z', projects: ['<cwd>'] },
      period: { start: null, end: null },
      data: {
        total_accesses: 0,
        unique_sections: 0,
        unique_files: 0,
        error_count: 0,
        tokens_served: 0,
        tokens_saved: 0,
      },
    });
  });

  test.each([
    [['stats', '--prune', '--before', '2026-01-01'], 'error[E100]: --prune needs a skill, or --all'],
    [['stats', 'demo', '--all'], 'error[E100]: --all takes no skill'],
    [['stats', 'demo', '--prune'], 'error[E100]: --prune needs --before'],
    [['stats', 'demo', '--before', '2026-01-01'], 'error[E100]: --before belongs to --prune'],
    [
      ['stats', 'demo', '--prune', '--before', '2026-01-01', '--since', '2025-01-01'],
      'error[E100]: --prune takes no filter but --before',
    ],
    [['stats', 'demo', '--prune', '--before', 'now'], "error[E031]: invalid filter: 'now is not a date'"],
    [['stats', 'demo', '--group-by', 'weeks'], "error[E030]: invalid query type: 'weeks'"],
    [['stats', 'demo', '--since', 'soon'], "error[E031]: invalid filter: 'soon is not a date'"],
    [['stats', 'dmo'], "error[E001]: skill 'dmo' not found"],
  ])('skc %j fails', async (words, message) => {
    const { run } = await project();
    const { status, stderr } = await run(words);
    expect([status, stderr.split('\n')[0]]).toEqual([1, message]);
  });

  test('--all ranks skills of both stores, unused ones too, and goes on past a damaged log', async () => {
    const given = await used();
    const other = demo.replace('name: demo', 'name: other');
    const more = {
      '~/.skillc/skills/other/SKILL.md': other,
      '~/.skillc/runtime/bad/.skillc/logs.db': 'x'.repeat(999),
    };
    await given.run(['build', 'other', '-t', 'none'], { files: more, env: { SKC_NO_LOG: '1' } });
    const { stdout, stderr } = await given.run(['stats', '--all']);
    expect(stdout).toBe(`all skills  2026-01-02

SKILL  ACCESSES  SECTIONS  ERRORS  TOKENS SERVED  TOKENS SAVED  LAST USED
demo          4         2       1             64            -6  2026-01-02
other         0         0       0              0             0  never
`);
    expect(stderr.split('\n')[0]).toBe(
      "error[E015]: cannot read '<home>/.skillc/runtime/bad/.skillc/logs.db': file is not a database",
    );
    const { data, ...rest } = (await given.run(['stats', '--all', '-b', 'search', '--json'])).json() as {
      data: unknown;
    };
    expect(rest).toEqual({ ...head('search'), skill: null, skill_path: null });
    const last_access = '2026-01-02T03:04:05.000Z';
    expect(data).toEqual([
      {
        skill: 'demo',
        skill_path: '<cwd>/.skillc/skills/demo',
        data: [{ query: 'xyzzy', count: 1, zero_results: 1, last_access }],
      },
      { skill: 'other', skill_path: '<home>/.skillc/skills/other', data: [] },
    ]);
  });

  test('without a skill it shows all of them', async () => {
    const { run } = await used();
    for (const words of [[], ['-b', 'search'], ['--json']])
      expect((await run(['stats', ...words])).stdout).toBe((await run(['stats', '--all', ...words])).stdout);
    expect((await skc(['stats'])).stdout).toBe('all skills  no accesses\n\nno skills\n');
  });

  test('--since takes a span of time', async () => {
    const { run } = await used();
    const now = { env: { SKC_NO_LOG: '1' } };
    const counted = async (since: string) =>
      (await run(['stats', 'demo', '--since', since, '--json'], now)).json() as {
        filters: { since: string };
        data: { total_accesses: number };
      };
    const { filters, data } = await counted('7d');
    expect([filters.since, data.total_accesses]).toEqual(['2025-12-26T03:04:05.000Z', 4]);
    expect((await counted('0h')).data.total_accesses).toBe(4);
  });

  test('--group-by run has a row for each run', async () => {
    const { run } = await project();
    await run(['show', 'demo', '-s', 'Steps'], { env: { SKC_RUN_ID: 'one' } });
    await run(['show', 'demo', '-s', 'Nope'], { env: { SKC_RUN_ID: 'two' } });
    await run(['show', 'demo', '-s', 'Steps'], { env: { SKC_RUN_ID: 'two' } });
    const time = '2026-01-02T03:04:05.000Z';
    const { data } = (await run(['stats', 'demo', '-b', 'run', '--json'])).json() as { data: unknown };
    expect(data).toEqual([
      {
        run_id: 'one',
        count: 1,
        error_count: 0,
        tokens_served: expect.any(Number),
        first_access: time,
        last_access: time,
      },
      {
        run_id: 'two',
        count: 2,
        error_count: 1,
        tokens_served: expect.any(Number),
        first_access: time,
        last_access: time,
      },
    ]);
    expect((await run(['stats', 'demo', '-b', 'run'])).stdout).toMatch(
      /RUN +CALLS +ERRORS +TOKENS SERVED +LAST USED\none /,
    );
  });

  test('--limit cuts the rows and says how many are missing', async () => {
    const { run } = await used();
    const limited = ['stats', 'demo', '-b', 'sections', '--limit', '1'];
    expect((await run([...limited, '--json'])).json()).toMatchObject({
      left_out: 3,
      data: [{ file: 'SKILL.md', section: 'Steps', count: 2 }],
    });
    expect((await run(limited)).stdout).toBe(
      'demo  2026-01-02\n\nREADS  ASKED  SECTION  FILE\n    2      2  Steps    SKILL.md\n... (3 more; raise --limit)\n',
    );
    expect((await run(['stats', '-b', 'sections', '-l', '1', '--json'])).json()).toMatchObject({
      left_out: 3,
      data: [{ skill: 'demo', data: [{ section: 'Steps' }] }],
    });
  });

  test("--without-author leaves out the author's trials", async () => {
    const given = await project();
    await given.run(['show', 'demo', '-s', 'Steps']);
    await given.run(['show', 'demo', '-s', 'Steps', '--author']);
    await given.run(['show', 'demo', '-s', 'Steps'], { cwd: join(given.dir, '.skillc/skills/demo') });
    await given.run(['show', 'demo', '-s', 'Steps'], {
      cwd: join(given.dir, '.skillc/skills/demo/references'),
    });
    const counted = async (...words: string[]) => {
      const { filters, data } = (await given.run(['stats', 'demo', '--json', ...words])).json() as {
        filters: object;
        data: { total_accesses: number };
      };
      return [filters, data.total_accesses];
    };
    const none = { since: null, until: null, projects: [] };
    expect(await counted()).toEqual([none, 4]);
    expect(await counted('--without-author')).toEqual([{ ...none, without_author: true }, 1]);
  });

  test('CSV is quoted, and nothing in it is a formula', async () => {
    const { run } = await project();
    await run(['search', 'demo', '=cmd()', 'a,"b"']);
    await run(['search', 'demo', '--', '-1+1']);
    await run(['search', 'demo', '@x\n+y']);
    const path = '<cwd>/.skillc/skills/demo';
    const time = '2026-01-02T03:04:05.000Z';
    expect((await run(['stats', 'demo', '-b', 'search', '--format', 'csv'])).stdout).toBe(
      `skill,skill_path,query,count,zero_results,last_access
demo,${path},'-1+1,1,1,${time}
demo,${path},"'=cmd() a,""b""",1,1,${time}
demo,${path},"'@x
+y",1,1,${time}
`,
    );
    expect((await run(['stats', '--format', 'csv'])).stdout).toMatch(
      /^skill,skill_path,total_accesses,unique_sections,unique_files,error_count,tokens_served,tokens_saved,last_access\ndemo,/,
    );
    expect((await run(['stats', '-b', 'search', '--format', 'csv'])).stdout).toContain(
      `demo,${path},'-1+1,1,1,`,
    );
  });

  test('--all where there is nothing', async () => {
    expect((await skc(['stats', '--all'])).stdout).toBe('all skills  no accesses\n\nno skills\n');
  });

  test('--prune forgets', async () => {
    const { run } = await used();
    const words = ['stats', 'demo', '--prune', '--before'];
    expect((await run([...words, '2026-01-02'])).stdout).toBe('demo: 0 removed, 4 kept\n');
    expect((await run([...words, '2026-01-03', '--json'])).json()).toEqual({
      ...head('prune'),
      filters: { since: null, until: '2026-01-03T00:00:00.000Z', projects: [] },
      period: { start: null, end: null },
      data: { removed: 4, kept: 0 },
    });
    expect((await run(['stats', '--all', '--prune', '--before', '2026-01-03'])).stdout).toBe(
      'demo: 0 removed, 0 kept\n',
    );
  });

  test('what a log quotes cannot write to the terminal', async () => {
    const { run } = await project();
    await run(['search', 'demo', 'a\u001b[2Jb\nc']);
    expect((await run(['stats', 'demo', '-b', 'search'])).stdout).toContain('  a\\u001b[2Jb\\nc\n');
  });
});

describe('sync', () => {
  /** Accesses from a directory outside the project, while the log cannot be written. */
  async function waiting() {
    const given = await project();
    const own = join(given.dir, '.skillc/runtime/demo/.skillc');
    mkdirSync(join(own, 'logs.db'));
    const elsewhere = join(given.dir, '../elsewhere');
    mkdirSync(join(elsewhere, 'deep'), { recursive: true });
    const skill = join(given.dir, '.skillc/skills/demo');
    await given.run(['show', skill, '-s', 'Steps'], { cwd: elsewhere });
    await given.run(['show', skill, '-s', 'Limits'], { cwd: join(elsewhere, 'deep') });
    return { ...given, own, skill, elsewhere, local: join(elsewhere, '.skillc/logs/demo') };
  }

  test('brings rows to the log that stats reads, once', async () => {
    const { run, own, elsewhere, local, log } = await waiting();
    rmSync(join(own, 'logs.db'), { recursive: true });
    const here = { cwd: join(elsewhere, 'deep') };
    expect((await run(['sync', '--dry-run'], here)).stdout).toContain('demo: 1 row to merge (');
    expect((await run(['sync', '--project', '..', '--json'], here)).json()).toEqual({
      dry_run: false,
      synced: [
        {
          skill: 'demo',
          source: local,
          destinations: [log],
          rows: 1,
          known: 0,
          damaged: 0,
          left: 0,
          dropped: 0,
        },
      ],
      failed: [],
    });
    expect((await run(['sync', 'demo'], here)).stdout).toBe('demo: 1 row merged (<cwd>/.skillc/logs/demo)\n');
    expect(readdirSync(elsewhere)).toEqual(['deep']);
    const again = await run(['sync'], here);
    expect([again.status, again.stdout, again.stderr]).toEqual([
      0,
      'nothing to sync: no local logs found\n',
      '',
    ]);
    const { data } = (await run(['stats', 'demo', '-b', 'sections', '--json'])).json() as { data: unknown[] };
    expect(data.slice(0, 2)).toEqual([
      { file: 'SKILL.md', section: 'Limits', anchor: 'limits', count: 1, asked: 1, lines: 3 },
      { file: 'SKILL.md', section: 'Steps', anchor: 'steps', count: 1, asked: 1, lines: 4 },
    ]);
  });

  test('a directory with only local logs is not a project', async () => {
    const { run, elsewhere } = await waiting();
    const { stdout } = await run(['init', 'fresh'], { cwd: join(elsewhere, 'deep') });
    expect(stdout).toContain('<cwd>/.skillc/skills/fresh/SKILL.md');
    expect(readdirSync(join(elsewhere, '.skillc'))).toEqual(['logs']);
  });

  test('each skill stands alone', async () => {
    const { run, own, elsewhere, log } = await waiting();
    const gone = join(elsewhere, '.skillc/logs/gone/access.jsonl');
    mkdirSync(join(gone, '..'));
    const row = {
      timestamp: '2026-01-02T03:04:05.000Z',
      run_id: 'r',
      command: 'show',
      skill: 'gone',
      cwd: '/',
    };
    const rest = { skill_path: '/no/such/gone', args: {}, error: null, bytes: 0, tokens: 0, duration_ms: 0 };
    writeFileSync(gone, JSON.stringify({ uid: crypto.randomUUID(), ...row, ...rest }));
    rmSync(join(own, 'logs.db'), { recursive: true });
    const { status, stdout, stderr } = await run(['sync'], { cwd: elsewhere });
    expect([status, stdout, stderr]).toEqual([
      0,
      'demo: 1 row merged (<cwd>/.skillc/logs/demo)\n' +
        'gone: 0 rows merged, 1 left in place: the skill was deleted (use --gone keep or --gone drop) (<cwd>/.skillc/logs/gone)\n',
      '',
    ]);
    expect([rowsIn(log).length, readdirSync(join(elsewhere, '.skillc/logs/gone')).length]).toEqual([1, 1]);
    const dropping = ['sync', 'gone', '--gone', 'drop'];
    expect((await run([...dropping, '--dry-run'], { cwd: elsewhere })).stdout).toBe(
      'gone: 0 rows to merge, 1 to drop: the skill was deleted (<cwd>/.skillc/logs/gone)\n',
    );
    const kept = await run(['sync', '--gone', 'keep', '--json'], { cwd: elsewhere });
    const [entry] = (kept.json() as { synced: { destinations: string[]; rows: number }[] }).synced;
    expect(entry!.rows).toBe(1);
    expect(entry!.destinations).toEqual(['<home>/.skillc/runtime/gone/.skillc/logs.db']);
    const moved = rowsIn(join(kept.home, '.skillc/runtime/gone/.skillc/logs.db'));
    expect(moved.map(({ skill_path }) => skill_path)).toEqual(['/no/such/gone']);
    expect(existsSync(join(elsewhere, '.skillc'))).toBe(false);
    // Nobody finds the skill any more, and its log is there.
    const all = (await run(['stats', '--all', '--json'], { cwd: elsewhere })).json();
    expect(JSON.stringify(all)).toContain('"gone"');
    expect((await run(['clean', 'gone', '--logs'], { cwd: elsewhere })).stdout).toContain(
      'removed <home>/.skillc/runtime/gone/.skillc/logs.db\n',
    );
  });

  test('logs of deleted skills are dropped when that is asked for', async () => {
    const { run, elsewhere } = await waiting();
    const local = join(elsewhere, '.skillc/logs/demo');
    const line = readFileSync(join(local, 'access.jsonl'), 'utf8').trim();
    writeFileSync(
      join(local, 'access.jsonl'),
      line.replace(/"skill_path":"[^"]*"/, '"skill_path":"/no/such/x"'),
    );
    const gone = join(elsewhere, '.skillc/logs/gone');
    renameSync(local, gone);
    expect((await run(['sync', '--gone', 'drop'], { cwd: elsewhere })).stdout).toBe(
      'gone: 0 rows merged, 1 dropped: the skill was deleted (<cwd>/.skillc/logs/gone)\n',
    );
    expect(existsSync(join(elsewhere, '.skillc'))).toBe(false);
  });

  test('E042: a project that does not exist, or is a file', async () => {
    const { run, elsewhere } = await waiting();
    writeFileSync(join(elsewhere, 'file'), '');
    for (const project of ['nowhere', 'file']) {
      const { status, stdout, stderr } = await run(['sync', '--project', project], { cwd: elsewhere });
      expect([status, stdout, stderr.split('\n')[0]]).toEqual([
        1,
        '',
        `error[E042]: sync source not readable: '${project}'`,
      ]);
    }
  });

  test('a named skill without local logs has nothing to sync; an unknown name is E040', async () => {
    const { run } = await waiting();
    expect((await run(['sync', 'demo'])).stdout).toBe('nothing to sync: no local logs found\n');
    expect((await run(['sync', 'dmeo'])).stderr).toMatch(/^error\[E040\]: no local logs found\n/);
  });

  test('E041 leaves everything for the next time', async () => {
    const { run, own, elsewhere, log } = await waiting();
    const here = { cwd: elsewhere };
    expect((await run(['sync'], here)).stderr).toBe(
      `error[E041]: sync destination not writable: '${log}'\nhelp: make the runtime directory writable and run \`skc sync\` again. The local rows are kept until then\n`,
    );
    rmSync(join(own, 'logs.db'), { recursive: true });
    expect((await run(['sync'], here)).stdout).toContain('demo: 1 row merged');
  });
});

test('spans go to a configured endpoint, and only there', async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request));
    received.push(resourceSpans[0].scopeSpans[0].spans[0].name);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { run } = await project();
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const traced = { env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, SKC_NO_LOG: '1' } };
  await run(['show', 'demo', '-s', 'Steps']);
  await run(['show', 'demo', '-s', 'Steps'], traced);
  await run(['show', 'demo', '-s', 'Steps', '-s', 'Fields'], traced);
  await run(['open', 'demo', 'references/fields.md'], traced);
  expect((await run(['show', 'demo', '-s', 'Nope'], traced)).status).toBe(1);
  await run(['list'], traced);
  expect(received).toEqual([
    'execute_tool skc_show demo SKILL.md',
    'execute_tool skc_show demo',
    'execute_tool skc_open demo references/fields.md',
    'execute_tool skc_show demo',
  ]);
});
