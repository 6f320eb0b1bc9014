import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { conditionOf, readTime, readUsageFilter } from './usage-filter.ts';

const now = new Date('2026-01-10T12:00:00.000Z');
const place = { cwd: '/p', now };

describe('readTime', () => {
  test.each([
    ['12h', '2026-01-10T00:00:00.000Z'],
    ['7d', '2026-01-03T12:00:00.000Z'],
    ['2w', '2025-12-27T12:00:00.000Z'],
    ['0d', '2026-01-10T12:00:00.000Z'],
  ])('%s is so long ago', (text, time) => {
    expect([readTime(text, { edge: 'start', now }), readTime(text, { edge: 'end', now })]).toEqual([
      time,
      time,
    ]);
  });

  test.each([
    ['2026-01-02', '2026-01-02T00:00:00.000Z', '2026-01-02T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
  ])('%s is a whole day', (text, start, end) => {
    expect([readTime(text, { edge: 'start', now }), readTime(text, { edge: 'end', now })]).toEqual([
      start,
      end,
    ]);
  });

  test.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T00:04:05.5-00:30', '2026-01-02T00:34:05.500Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ])('%s is a moment', (text, time) => {
    expect([readTime(text, { edge: 'start', now }), readTime(text, { edge: 'end', now })]).toEqual([
      time,
      time,
    ]);
  });

  test.each([
    '',
    'yesterday',
    '2026',
    '2026-1-2',
    '2026-13-01',
    '2026-00-10',
    '2026-02-30',
    '2025-02-29',
    '2026-04-31T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T03:60:00Z',
    '2026-01-02T03:04:05',
    '2026-01-02T03:04Z',
    '2026-01-02T03:04:05+0200',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05+24:00',
    '2026-01-02\n',
    ' 2026-01-02',
    '1767323045',
    '7',
    'd',
    '7 d',
    '7m',
    '-7d',
    '999999d',
  ])('%j is not a date', (text) => {
    expect(() => readTime(text, { edge: 'start', now })).toThrow(
      expect.objectContaining({
        code: 'E031',
        help: 'write 2026-01-31, 2026-01-31T08:00:00Z, or how long ago: 12h, 7d, 2w',
      }),
    );
  });
});

describe('readUsageFilter', () => {
  test('resolves projects from the working directory', () => {
    expect(readUsageFilter({ project: [] }, place)).toEqual({ since: null, until: null, projects: [] });
    expect(
      readUsageFilter({ since: '2026-01-01', until: '2026-01-01', project: ['.', '../q', '/r/'] }, place),
    ).toEqual({
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T23:59:59.999Z',
      projects: ['/p', '/q', '/r'].map((path) => resolve(path)),
    });
  });

  test.each([
    [
      { since: '2026-01-02', until: '2026-01-01', project: [] },
      "invalid filter: '2026-01-02 is after 2026-01-01'",
    ],
    [{ since: 'x', project: [] }, "invalid filter: 'x is not a date'"],
    [{ until: '', project: [] }, "invalid filter: 'a date is missing'"],
    [{ project: [''] }, "invalid filter: 'a project needs a path'"],
    [{ project: ['a\0b'] }, "invalid filter: 'a project needs a path'"],
  ])('%j is E031', (given, message) => {
    expect(() => readUsageFilter(given, place)).toThrow(expect.objectContaining({ code: 'E031', message }));
  });
});

describe('a project includes everything inside it, and nothing next to it', () => {
  test.each([
    ['/p', ['/p', '/p/deep/er']],
    ['/p/deep', ['/p/deep/er']],
    ['/p-other', ['/p-other']],
    ['/ü/🚀', ['/ü/🚀/x']],
    ['/', ['/p', '/p/deep/er', '/p-other', '/ü/🚀/x', '/%/_']],
    ['/_', []],
    ['/%', ['/%/_']],
  ])('%s', (project, counted) => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE access_log (cwd TEXT)');
    const insert = database.prepare('INSERT INTO access_log VALUES (?)');
    for (const cwd of ['/p', '/p/deep/er', '/p-other', '/ü/🚀/x', '/%/_']) insert.run(resolve(cwd));
    const { where, values } = conditionOf({ since: null, until: null, projects: [resolve(project)] });
    const rows = database.prepare(`SELECT cwd FROM access_log WHERE ${where}`).all(...values);
    expect(rows.map(({ cwd }) => cwd)).toEqual(counted.map((path) => resolve(path)));
    database.close();
  });

  test('a project named by a link means its target', () => {
    const root = makeDirectory({ real: { directory: true } });
    symlinkSync('real', join(root, 'link'));
    const { values } = conditionOf({ since: null, until: null, projects: [join(root, 'link')] });
    expect(values).toContain(join(root, 'real'));
  });
});
