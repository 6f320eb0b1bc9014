// Databases and links that a project ships below its `.skillc` are not followed, run or changed.

import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { freshShape } from '../src/base/sqlite/open-database.ts';
import { indexFileName } from '../src/read/index/database.ts';
import { indexShape } from '../src/read/index/schema.ts';
import { closeLogs, logShape } from '../src/read/usage/access-log.ts';
import { makeWorld, skillText, type World } from './make-world.ts';

const logged = { env: { SKC_NO_LOG: '' } };
const skill = '.skillc/skills/notes/SKILL.md';
const own = '.skillc/runtime/notes/.skillc';

const timeless = (name: string) => name.replace(/\d{8}T\d{6}Z/, '<time>');

function makeNotes(): World {
  return makeWorld({ [skill]: skillText('notes', '# Notes\n\nSome words.\n'), 'outside/keep': 'mine' });
}

async function read(world: World) {
  const answers = {
    open: await world.run(['open', 'notes', 'SKILL.md'], logged),
    show: await world.run(['show', 'notes', '--section', 'Notes', '--fresh'], logged),
    search: await world.run(['search', 'notes', 'words', '--fresh'], logged),
    outline: await world.run(['outline', 'notes'], logged),
    stats: await world.run(['stats', 'notes'], logged),
    all: await world.run(['stats', '--all'], logged),
    sync: await world.run(['sync'], logged),
    list: await world.run(['list'], logged),
  };
  closeLogs();
  return answers;
}

/** A database skc did not make. */
function makeForeign(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE accounts (name TEXT); INSERT INTO accounts VALUES (1)');
  database.close();
}

test('the shapes of our databases are those that this SQLite makes', () => {
  expect([indexShape.shape, logShape.shape]).toEqual([
    freshShape(indexShape.schema),
    freshShape(logShape.schema),
  ]);
});

const links: readonly [string, string, string][] = [
  ['the log', `${own}/logs.db`, 'outside/foreign.db'],
  ['the log, to nothing', `${own}/logs.db`, 'outside/new.db'],
  ['a WAL', `${own}/logs.db-wal`, 'outside/new'],
  ['the directory of log and index', own, 'outside'],
  ['the runtime directory', '.skillc/runtime/notes', 'outside'],
  ['all runtime directories', '.skillc/runtime', 'outside'],
  ['the local logs', '.skillc/logs', 'outside'],
  ['the state', '.skillc/state.json', 'outside/state.json'],
  ['the directory of backups', '.skillc/backups', 'outside'],
];

test.each(links)('%s as a link: nothing is made or changed where it leads', async (_, place, target) => {
  const world = makeNotes();
  makeForeign(join(world.project, 'outside/foreign.db'));
  mkdirSync(dirname(join(world.project, place)), { recursive: true });
  symlinkSync(join(world.project, target), join(world.project, place));
  const before = world.list(join(world.project, 'outside'));
  const { open } = await read(world);
  expect(open.stdout).toContain('Some words.');
  await world.run(['build', 'notes', '--target', 'none'], logged);
  await world.run(['skills', '--disable', 'notes', '--scope', 'project'], logged);
  expect(world.list(join(world.project, 'outside'))).toEqual(before);
});

test('the local log is not written through a link either', async () => {
  const world = makeNotes();
  mkdirSync(join(world.project, own, 'logs.db'), { recursive: true });
  symlinkSync(join(world.project, 'outside'), join(world.project, '.skillc/logs'));
  const before = world.list(join(world.project, 'outside'));
  const { open, sync } = await read(world);
  expect(open.stdout).toContain('Some words.');
  expect(open.stderr).toMatch(/^warning\[W002\]: logging disabled: /);
  expect([sync.status, sync.stdout]).toEqual([0, 'nothing to sync: no local logs found\n']);
  expect(world.list(join(world.project, 'outside'))).toEqual(before);
});

test('an index that is a link is rebuilt in its own place', async () => {
  const world = makeNotes();
  makeForeign(join(world.project, 'outside/foreign.db'));
  const index = join(world.project, own, indexFileName(join(world.project, dirname(skill))));
  mkdirSync(dirname(index), { recursive: true });
  symlinkSync(join(world.project, 'outside/foreign.db'), index);
  const before = world.list(join(world.project, 'outside'));
  const { show } = await read(world);
  expect(show.stdout).toBe('# Notes\n\nSome words.\n');
  expect(lstatSync(index).isFile()).toBe(true);
  expect(world.list(join(world.project, 'outside'))).toEqual(before);
});

/** Hostile content for a database that otherwise looks like ours. */
const hostile: readonly [string, string][] = [
  [
    'a trigger that never ends',
    `CREATE TRIGGER t AFTER INSERT ON access_log BEGIN
       INSERT INTO synced_row WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n;
     END`,
  ],
  [
    'a view in place of a table',
    'DROP TABLE synced_row; CREATE VIEW synced_row AS SELECT 1 AS uid, 2 AS timestamp',
  ],
  ['another table', 'CREATE TABLE more (x)'],
  ['a generated column', 'ALTER TABLE access_log ADD COLUMN g AS (length(hex(zeroblob(100000000)))) VIRTUAL'],
  ['an index on an expression', 'CREATE INDEX e ON access_log (hex(zeroblob(100000000)))'],
  ['a table of another kind', 'CREATE VIRTUAL TABLE v USING fts5 (x)'],
];

test.each(hostile)('a log with %s is set aside, with a word, and never used', async (_, sql) => {
  const world = makeNotes();
  const log = join(world.project, own, 'logs.db');
  mkdirSync(dirname(log), { recursive: true });
  const database = new DatabaseSync(log);
  database.exec(`PRAGMA journal_mode = WAL; ${logShape.schema}; ${sql}`);
  database.close();
  const shipped = readFileSync(log);
  const stats = await world.run(['stats', 'notes'], logged);
  expect(stats.stderr).toContain('its tables are not those that skc makes');
  const { open } = await read(world);
  expect(open.stderr).toMatch(
    /^warning\[W009\]: moved out of the way: '.*logs\.db': .*; kept as '.*notes-logs\.db-/,
  );
  const kept = readdirSync(join(world.project, '.skillc/backups'));
  expect(kept.map(timeless)).toEqual(['notes-logs.db-<time>']);
  expect(readFileSync(join(world.project, '.skillc/backups', kept[0]!))).toEqual(shipped);
  expect((await world.run(['stats', 'notes', '--json'], logged)).json()).toMatchObject({ query: 'summary' });
});

test('a journal beside a log is not obeyed', async () => {
  const world = makeNotes();
  await world.run(['open', 'notes', 'SKILL.md'], logged);
  closeLogs();
  writeFileSync(join(world.project, own, 'logs.db-journal'), Buffer.alloc(4096, 1));
  const { open } = await read(world);
  expect(open.stderr).toContain('there is a journal next to it');
  expect(readdirSync(join(world.project, '.skillc/backups')).map(timeless)).toEqual([
    'notes-logs.db-<time>',
    'notes-logs.db-<time>-journal',
  ]);
});

test('a log whose pages lead round in a circle is not read to its end', async () => {
  const world = makeNotes();
  const log = join(world.project, own, 'logs.db');
  mkdirSync(dirname(log), { recursive: true });
  const database = new DatabaseSync(log);
  database.exec(`PRAGMA page_size = 512; ${logShape.schema}; BEGIN`);
  const insert = database.prepare(
    "INSERT INTO access_log (timestamp, run_id, command, skill, skill_path, cwd, args) VALUES ('2026-01-02T03:04:05.000Z', 'r', 'show', 'notes', ?, '/', ?)",
  );
  for (let row = 0; row < 20_000; row++) insert.run('/x', `{"section":"${row}"}`);
  database.exec('COMMIT');
  const root = Number(
    database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'access_log'").get()!.rootpage,
  );
  database.close();
  const bytes = readFileSync(log);
  multiply(bytes, root);
  writeFileSync(log, bytes);
  const stats = await world.run(['stats', 'notes'], logged);
  expect(stats).toMatchObject({ status: 1, stderr: expect.stringMatching(/^error\[E015\]/) });
});

/** Makes every cell of an interior page lead to its last child, on every level: few pages, endlessly many rows. */
function multiply(bytes: Buffer, page: number): void {
  const at = (page - 1) * 512 + (page === 1 ? 100 : 0);
  if (bytes[at] !== 5) return;
  const last = bytes.readUInt32BE(at + 8);
  for (let cell = 0; cell < bytes.readUInt16BE(at + 3); cell++)
    bytes.writeUInt32BE(last, (page - 1) * 512 + bytes.readUInt16BE(at + 12 + 2 * cell));
  multiply(bytes, last);
}

test('a .skillc that is a link makes no project: its target stays unchanged, and a warning says so', async () => {
  const world = makeWorld({
    'repo/.git/HEAD': '',
    'repo/.skillc': { link: '../outside' },
    'outside/keep': 'mine',
  });
  world.write({ 'repo/.claude/skills/notes/SKILL.md': skillText('notes', '# Notes\n\nSome words.\n') });
  const cwd = join(world.project, 'repo');
  const before = world.list(join(world.project, 'outside'));
  const shown = await world.run(['show', 'notes', '--section', 'Notes', '--fresh'], { ...logged, cwd });
  closeLogs();
  expect(shown.stdout).toBe('# Notes\n\nSome words.\n');
  expect(shown.stderr).toContain("'<cwd>/.skillc': it is a link, so the directory is not a project");
  await world.run(['init', 'fresh'], { cwd });
  await world.run(['config', 'gateway.auto_build', 'true', '--scope', 'project'], { cwd });
  expect(world.list(join(world.project, 'outside'))).toEqual(before);
});

test.each(['config.toml', 'lock.json'])('%s as a link is not read and not written', async (name) => {
  const world = makeNotes();
  world.write({
    [`outside/${name}`]: 'secret = "abc"\n',
    [`.skillc/${name}`]: { link: `../outside/${name}` },
  });
  const before = world.list(join(world.project, 'outside'));
  const runs = [
    await world.run(['config', 'gateway.auto_build', 'true', '--scope', 'project']),
    await world.run(['verify']),
    await world.run(['doctor']),
  ];
  expect(runs.some(({ stdout, stderr }) => (stdout + stderr).includes('abc'))).toBe(false);
  expect(runs.some(({ stdout, stderr }) => (stdout + stderr).includes('refusing to follow the link'))).toBe(
    true,
  );
  expect(world.list(join(world.project, 'outside'))).toEqual(before);
});

const kinds: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a directory': (path) => void mkdirSync(path),
  'a link to itself': (path) => symlinkSync(basename(path), path),
};

describe.each(Object.entries(kinds))('%s', (_, make) => {
  test.each([
    '.skillc/config.toml',
    '.skillc/lock.json',
    '.skillc/state.json',
    '.skillc/runtime',
    '.skillc/runtime/demo/.skillc/search-0123456789abcdef.db',
    '.skillc/skills/demo/evals',
    '~/.skillc/config.toml',
    '~/.skillc/state.json',
    '~/.skillc/cache',
  ])('in the place of %s has a code', async (place) => {
    const world = makeWorld({
      '.skillc/skills/demo/SKILL.md': skillText('demo', '# Demo\n\n## Steps\n\nGo.\n'),
      '~/.skillc/skills/.keep': '',
    });
    const path = place.startsWith('~/') ? join(world.home, place.slice(2)) : join(world.project, place);
    mkdirSync(dirname(path), { recursive: true });
    make(path);
    for (const words of [
      ['show', 'demo', '--section', 'Steps', '--fresh'],
      ['build', 'demo', '--target', 'none'],
      ['list'],
      ['verify'],
      ['scan', 'demo'],
      ['doctor'],
      ['skills', '--disable', 'demo'],
      ['clean', 'demo'],
    ]) {
      const { stderr } = await world.run(words);
      expect(stderr, words.join(' ')).not.toContain('E999');
    }
  });
});
