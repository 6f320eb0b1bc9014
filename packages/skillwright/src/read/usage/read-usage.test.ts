import { chmodSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { rowsIn } from '../../../test/rows-in.ts';
import { closeLogs, type LoggedAccess, logPath } from './access-log.ts';
import { pruneLog } from './prune-log.ts';
import { readUsage, type UsageQuestion } from './read-usage.ts';
import { usageGroups } from './usage-group.ts';
import { writeAccess } from './write-access.ts';

const read = (command: string, args: LoggedAccess['args'], rest: Partial<LoggedAccess> = {}) => ({
  command,
  args,
  ...rest,
});

const steps = { file: 'SKILL.md', section: 'Steps' };
const limits = { file: 'SKILL.md', section: 'Limits' };
const fields = { file: 'references/fields.md', section: 'Fields' };

/** The skill as it is now: Demo has Steps and Limits below it. */
const present = [
  { file: 'SKILL.md', text: 'Demo', anchor: 'demo', start_line: 1, end_line: 30 },
  { file: 'SKILL.md', text: 'Steps', anchor: 'steps', start_line: 5, end_line: 20 },
  { file: 'SKILL.md', text: 'Limits', anchor: 'limits', start_line: 21, end_line: 30 },
  { file: 'references/fields.md', text: 'Fields', anchor: 'fields', start_line: 1, end_line: 9 },
];
const row = (of: { file: string; section: string }, count: number, asked: number, lines: number) => ({
  ...{ ...of, anchor: of.section.toLowerCase(), count, asked, lines },
});

/** Day, working directory, access. */
const history: [day: number, cwd: string, access: Partial<LoggedAccess>][] = [
  [1, '/p', read('build', { status: 'created', indexed: 2 }, { tokens: 0, duration_ms: 20 })],
  [1, '/p', read('outline', { level: 6 }, { tokens: 40 })],
  [1, '/p', read('show', { section: ['steps'], sections: [steps] }, { tokens: 100 })],
  [2, '/p', read('show', { section: ['Steps', 'Limits'], sections: [steps, limits] }, { tokens: 150 })],
  [2, '/p/sub', read('show', { section: ['Fields'], sections: [fields] }, { tokens: 2000 })],
  [2, '/q', read('show', { section: ['Nope'] }, { error: 'E020', tokens: 0 })],
  [3, '/q', read('show', { section: ['Nope'], fresh: true }, { error: 'E020', tokens: 0 })],
  [3, '/q', read('open', { path: 'references/fields.md', files: ['references/fields.md'] }, { tokens: 300 })],
  [3, '/q', read('open', { path: 'x.md' }, { error: 'E021', tokens: 0 })],
  [3, '/q', read('search', { query: ['date', 'picker'], limit: 10, results: 0 }, { tokens: 8 })],
  [3, '/q', read('search', { query: ['date picker'], limit: 5, results: 2 }, { tokens: 60 })],
  [4, '/q', read('search', { query: ['Größe'], limit: 10, results: 0 }, { tokens: 8 })],
  [4, '/q', read('search', { query: ['x'] }, { error: 'E002', tokens: 0 })],
];

const everything = { since: null, until: null, projects: [] };
const question: UsageQuestion = {
  group: 'summary',
  filter: everything,
  // SKILL.md has 1000 tokens, references/fields.md 500.
  tokens: (file) => ({ 'SKILL.md': 1000, 'references/fields.md': 500 })[file],
  sections: () => present,
  questions: () => [],
};

/** A skill with the history above in its log. */
function usedSkill(rows = history) {
  const root = makeDirectory({ 'demo/SKILL.md': '', 'other/SKILL.md': '' });
  onTestFinished(closeLogs);
  const skill = { dir: join(root, 'demo'), runtime: join(root, 'runtime/demo') };
  for (const [day, cwd, access] of rows) write(skill, { day, cwd, access });
  return { ...skill, root };
}

function write(
  skill: { dir: string; runtime: string },
  { day, cwd, access }: { day: number; cwd: string; access: Partial<LoggedAccess> },
): void {
  const row = { skill: 'demo', skill_path: skill.dir, error: null, bytes: 0, tokens: 0, duration_ms: 1 };
  const now = new Date(`2026-01-0${day}T12:00:00Z`);
  expect(
    writeAccess(
      { command: 'show', args: {}, ...row, ...access },
      { runtime: skill.runtime, cwd, env: {}, now },
    ),
  ).toEqual([]);
}

const at = (day: number) => `2026-01-0${day}T12:00:00.000Z`;

describe('every group', () => {
  test.each([
    [
      'summary',
      {
        total_accesses: 13,
        unique_sections: 3,
        unique_files: 2,
        error_count: 4,
        tokens_served: 2666,
        // One session: SKILL.md and the one other file it opened, minus everything that was served.
        tokens_saved: 1000 + 500 - 2666,
      },
    ],
    [
      'sections',
      [
        // Asked for once, and once with the whole file.
        row(fields, 2, 1, 18),
        row(steps, 2, 2, 32),
        row(limits, 1, 1, 10),
        row({ file: 'SKILL.md', section: 'Demo' }, 0, 0, 0),
      ].sort((a, b) => b.count - a.count || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
    ],
    [
      'files',
      [
        { file: 'SKILL.md', count: 2 },
        { file: 'references/fields.md', count: 2 },
      ],
    ],
    [
      'commands',
      [
        { command: 'show', count: 5, error_count: 2, tokens_served: 2250, duration_ms: 1 },
        { command: 'search', count: 4, error_count: 1, tokens_served: 76, duration_ms: 1 },
        { command: 'open', count: 2, error_count: 1, tokens_served: 300, duration_ms: 1 },
        { command: 'build', count: 1, error_count: 0, tokens_served: 0, duration_ms: 20 },
        { command: 'outline', count: 1, error_count: 0, tokens_served: 40, duration_ms: 1 },
      ],
    ],
    [
      'projects',
      [
        { project: '/q', count: 8, error_count: 4, tokens_served: 376, last_access: at(4) },
        { project: '/p', count: 4, error_count: 0, tokens_served: 290, last_access: at(2) },
        { project: '/p/sub', count: 1, error_count: 0, tokens_served: 2000, last_access: at(2) },
      ],
    ],
    [
      'errors',
      [
        { error: 'E020', command: 'show', subject: 'Nope', count: 2, last_access: at(3) },
        { error: 'E002', command: 'search', subject: 'x', count: 1, last_access: at(4) },
        { error: 'E021', command: 'open', subject: 'x.md', count: 1, last_access: at(3) },
      ],
    ],
    [
      'search',
      [
        { query: 'date picker', count: 2, zero_results: 1, last_access: at(3) },
        { query: 'Größe', count: 1, zero_results: 1, last_access: at(4) },
      ],
    ],
    [
      'days',
      [
        { day: '2026-01-01', count: 3, error_count: 0, tokens_served: 140, tokens_saved: 1500 - 2666 },
        { day: '2026-01-02', count: 3, error_count: 1, tokens_served: 2150, tokens_saved: 0 },
        { day: '2026-01-03', count: 5, error_count: 2, tokens_served: 368, tokens_saved: 0 },
        { day: '2026-01-04', count: 2, error_count: 1, tokens_served: 8, tokens_saved: 0 },
      ],
    ],
  ] as const)('%s', (group, data) => {
    expect(readUsage(usedSkill(), { ...question, group })).toEqual({
      period: { start: at(1), end: at(4) },
      data,
    });
  });

  test.each([
    [{ since: '2026-01-02T12:00:00.000Z', until: null, projects: [] }, 10, at(2), at(4)],
    [{ since: '2026-01-02T12:00:00.001Z', until: null, projects: [] }, 7, at(3), at(4)],
    [{ since: null, until: '2026-01-02T12:00:00.000Z', projects: [] }, 6, at(1), at(2)],
    [{ since: null, until: null, projects: ['/p'] }, 5, at(1), at(2)],
    [{ since: null, until: null, projects: ['/p/sub', '/q'] }, 9, at(2), at(4)],
    [{ since: '2027-01-01T00:00:00.000Z', until: null, projects: [] }, 0, null, null],
  ])('counts the accesses of %j', (filter, count, start, end) => {
    const { data, period } = readUsage(usedSkill(), { ...question, filter, group: 'commands' });
    expect((data as { count: number }[]).reduce((sum, row) => sum + row.count, 0)).toBe(count);
    expect(period).toEqual({ start, end });
  });

  test('a filter returns the same sections as the index', () => {
    const filter = { ...everything, since: '2000-01-01T00:00:00.000Z' };
    for (const group of usageGroups)
      expect(readUsage(usedSkill(), { ...question, filter, group }).data).toEqual(
        readUsage(usedSkill(), { ...question, group }).data,
      );
  });
});

describe('without accesses', () => {
  const none = { total_accesses: 0, unique_sections: 0, unique_files: 0 };
  const empty = { ...none, error_count: 0, tokens_served: 0, tokens_saved: 0 };

  test.each(['no log', 'a log without rows', 'an empty file'])('%s', (kind) => {
    const skill = usedSkill([]);
    if (kind !== 'no log') mkdirSync(join(skill.runtime, '.skillc'), { recursive: true });
    if (kind === 'an empty file') writeFileSync(logPath(skill.runtime), '');
    if (kind === 'a log without rows') {
      write(skill, { day: 1, cwd: '/p', access: {} });
      expect(pruneLog(skill, '2027-01-01T00:00:00.000Z')).toEqual({ removed: 1, kept: 0 });
    }
    const period = { start: null, end: null };
    expect(readUsage(skill, question)).toEqual({ period, data: empty });
    expect(readUsage(skill, { ...question, group: 'days' })).toEqual({ period, data: [] });
    expect(readUsage(skill, { ...question, group: 'sections' }).data).toEqual([
      row({ file: 'SKILL.md', section: 'Demo' }, 0, 0, 0),
      row(limits, 0, 0, 0),
      row(steps, 0, 0, 0),
      row(fields, 0, 0, 0),
    ]);
  });
});

describe('skills that share a log', () => {
  test('are counted separately while both exist', () => {
    const skill = usedSkill();
    const other = { ...skill, dir: join(skill.root, 'other') };
    write(other, { day: 1, cwd: '/p', access: {} });
    const total = (of: typeof skill) =>
      (readUsage(of, question).data as { total_accesses: number }).total_accesses;
    expect([total(skill), total(other)]).toEqual([13, 1]);
    expect(pruneLog(other, '2027-01-01T00:00:00.000Z')).toEqual({ removed: 1, kept: 0 });
    expect([total(skill), total(other)]).toEqual([13, 0]);
  });

  test('a moved skill keeps its history', () => {
    const skill = usedSkill();
    renameSync(skill.dir, join(skill.root, 'moved'));
    const moved = { ...skill, dir: join(skill.root, 'moved') };
    write(moved, { day: 5, cwd: '/p', access: {} });
    expect(readUsage(moved, question)).toMatchObject({
      period: { start: at(1), end: at(5) },
      data: { total_accesses: 14 },
    });
  });
});

test('counts rows with any content', () => {
  const skill = usedSkill();
  const database = new DatabaseSync(logPath(skill.runtime));
  const columns = 'timestamp, run_id, command, skill, skill_path, cwd, args';
  const insert = database.prepare(
    `INSERT INTO access_log (${columns}) VALUES (?, '', ?, 'demo', ?, '/r', ?)`,
  );
  for (const args of ['', 'no JSON', '[]', '7', '{"sections":7}', '{"sections":[7]}', '{"query":{"a":[1]}}'])
    for (const command of ['show', 'search']) insert.run(at(1), command, skill.dir, args);
  database.close();
  for (const group of usageGroups) readUsage(skill, { ...question, group });
  expect(readUsage(skill, question).data).toMatchObject({ total_accesses: 27, error_count: 4 });
});

test('reads a log in a read-only directory', (context) => {
  const skill = usedSkill();
  closeLogs();
  for (const path of [skill.root, join(skill.root, 'runtime'), skill.runtime, join(skill.runtime, '.skillc')])
    chmodSync(path, 0o755);
  expect(asNobody(context, () => readUsage(skill, question).data)).toMatchObject({ total_accesses: 13 });
  expect(readdirSync(join(skill.runtime, '.skillc'))).toEqual(['logs.db']);
});

test('a log that is not a database is E015', () => {
  const skill = usedSkill();
  closeLogs();
  writeFileSync(logPath(skill.runtime), 'x'.repeat(5000));
  expect(() => readUsage(skill, question)).toThrow(
    expect.objectContaining({
      code: 'E015',
      message: `cannot read '${logPath(skill.runtime)}': file is not a database`,
    }),
  );
});

describe('pruneLog', () => {
  test('deletes older rows and nothing else', () => {
    const skill = usedSkill();
    const before = rowsIn(logPath(skill.runtime));
    expect(pruneLog(skill, at(3))).toEqual({ removed: 6, kept: 7 });
    expect(rowsIn(logPath(skill.runtime))).toEqual(before.slice(6));
    expect(pruneLog(skill, at(3))).toEqual({ removed: 0, kept: 7 });
  });

  test('a log that cannot be written is E016', (context) => {
    const skill = usedSkill();
    closeLogs();
    for (const path of [
      skill.root,
      join(skill.root, 'runtime'),
      skill.runtime,
      join(skill.runtime, '.skillc'),
    ])
      chmodSync(path, 0o755);
    expect(() => asNobody(context, () => pruneLog(skill, at(3)))).toThrow(
      expect.objectContaining({ code: 'E016' }),
    );
    expect(rowsIn(logPath(skill.runtime)).length).toBe(13);
  });

  test('frees the space', () => {
    const skill = usedSkill([]);
    const args = { text: 'x'.repeat(10_000) };
    for (let index = 0; index < 100; index++) write(skill, { day: 1, cwd: '/p', access: { args } });
    closeLogs();
    pruneLog(skill, at(2));
    const database = new DatabaseSync(logPath(skill.runtime));
    expect(database.prepare('PRAGMA page_count').get()!.page_count).toBeLessThan(10);
    database.close();
  });
});

test('memory does not grow with the rows', () => {
  const skill = usedSkill([[1, '/p', {}]]);
  const database = new DatabaseSync(logPath(skill.runtime));
  const columns = 'timestamp, run_id, command, skill, skill_path, cwd, args, tokens';
  database
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
      INSERT INTO access_log (${columns})
      SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i, 'unixepoch'), 'r', 'show', 'demo', ?, '/p' || (i % 9),
        json_object('padding', printf('%.500c', 'x'), 'sections', json_array(json_object('file', 'a.md', 'section', 'S' || (i % 7)))),
        i % 100 FROM n`,
    )
    .run(skill.dir);
  database.close();
  const before = process.memoryUsage().rss;
  const summary = readUsage(skill, question).data;
  for (const group of usageGroups) readUsage(skill, { ...question, group });
  // The rows themselves are 67 MB.
  expect(process.memoryUsage().rss - before).toBeLessThan(33_000_000);
  expect(summary).toMatchObject({ total_accesses: 100_000, unique_sections: 7, unique_files: 1 });
});
