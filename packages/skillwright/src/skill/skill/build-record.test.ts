import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory, writeTree } from '../../../test/make-directory.ts';
import { listTree } from '../../../test/make-world.ts';
import { sha256 } from '../../base/files/hash.ts';
import { buildRecord } from './build-record.ts';

function makeRecord() {
  const root = makeDirectory({
    'home/.claude/skills': { directory: true },
    'project/.skillc/runtime/demo': { directory: true },
    'project/elsewhere': { link: '.skillc/runtime/demo' },
  });
  const home = join(root, 'home');
  return { root, home, runtime: join(root, 'project/.skillc/runtime/demo'), record: buildRecord(home) };
}

test('a runtime directory is known once added, by any path, and forgotten on request', () => {
  const { root, runtime, record } = makeRecord();
  expect(record.runtime(runtime)).toBeUndefined();
  record.addRuntime(runtime, { source: '/p/demo', stub: 'a' });
  expect(record.runtime(runtime)).toEqual({ source: '/p/demo', stub: 'a', before: '' });
  expect(record.runtime(join(root, 'project/elsewhere'))).toEqual(record.runtime(runtime));
  expect(record.runtime(join(root, 'project'))).toBeUndefined();
  expect(record.runtime(join(root, 'missing'))).toBeUndefined();
  record.addRuntime(runtime, { source: '/p/other', stub: 'b' });
  expect(record.runtime(runtime)).toEqual({ source: '/p/other', stub: 'b', before: 'a' });
  record.addRuntime(runtime, { source: '/p/demo' });
  expect(record.runtime(runtime)).toEqual({ source: '/p/demo', stub: 'b', before: 'a' });
  rmSync(runtime, { recursive: true });
  record.forget(runtime);
  expect(readdirSync(join(root, 'home/.skillc/made'))).toEqual([]);
});

test('a place is known by its own path; links are not followed', () => {
  const { home, runtime, record } = makeRecord();
  const place = join(home, '.claude/skills/demo');
  expect(record.place(place)).toBeUndefined();
  record.addPlace(place, runtime);
  expect(record.place(place)).toBe(runtime);
  expect(record.place(join(home, '.claude/skills/other'))).toBeUndefined();
  expect(record.runtime(join(home, '.claude/skills'))).toBeUndefined();
  record.forget(place);
  expect(record.place(place)).toBeUndefined();
});

test('a directory has a source only while it holds a stub that skc wrote', () => {
  const { home, runtime, record } = makeRecord();
  const copy = join(home, '.claude/skills/demo');
  writeTree(runtime, { 'SKILL.md': 'first' });
  writeTree(copy, { 'SKILL.md': 'first' });
  expect(record.sourceOf(runtime)).toBeUndefined();
  record.addRuntime(runtime, { source: '/p/demo' });
  expect(record.sourceOf(runtime)).toBeUndefined();
  record.addRuntime(runtime, { source: '/p/demo', stub: sha256('first') });
  expect(record.sourceOf(runtime)).toBe('/p/demo');
  expect(record.sourceOf(copy)).toBeUndefined();
  record.addPlace(copy, runtime);
  expect(record.sourceOf(copy)).toBe('/p/demo');
  // Until the new stub is written, the old one is still there.
  record.addRuntime(runtime, { source: '/p/demo', stub: sha256('second') });
  expect(record.sourceOf(runtime)).toBe('/p/demo');
  writeTree(runtime, { 'SKILL.md': 'harmful' });
  expect(record.sourceOf(runtime)).toBeUndefined();
  rmSync(join(runtime, 'SKILL.md'));
  expect(record.sourceOf(runtime)).toBeUndefined();
});

test('does not rewrite a known entry', () => {
  const { home, runtime, record } = makeRecord();
  record.addRuntime(runtime, { source: '/p/demo', stub: 'a' });
  const before = readdirSync(join(home, '.skillc/made')).map((name) => join(home, '.skillc/made', name));
  writeFileSync(before[0]!, `${listTree(join(home, '.skillc/made'))[basename(before[0]!)]} `);
  record.addRuntime(runtime, { source: '/p/demo', stub: 'a' });
  expect(Object.values(listTree(join(home, '.skillc/made')))).toEqual([
    `${JSON.stringify({ version: 1, path: runtime, source: '/p/demo', stub: 'a', before: '' })}\n `,
  ]);
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['null', 'null'],
  ['a list', '[]'],
  ['another version', '{"version":2,"path":"<runtime>","source":"/p","stub":"","before":""}'],
  ['the entry of another directory', '{"version":1,"path":"/x","source":"/p","stub":"","before":""}'],
  ['an entry without source', '{"version":1,"path":"<runtime>","stub":"","before":""}'],
  ['an entry with a wrong type', '{"version":1,"path":"<runtime>","source":["/p"],"stub":"","before":""}'],
])('an entry that holds %s counts as none', (_, text) => {
  const { home, runtime, record } = makeRecord();
  record.addRuntime(runtime, { source: '/p/demo', stub: 'a' });
  const [name] = readdirSync(join(home, '.skillc/made'));
  writeFileSync(join(home, '.skillc/made', name!), text.replace('<runtime>', runtime));
  expect(record.runtime(runtime)).toBeUndefined();
});

test('losing the record, or one entry, loses nothing else', () => {
  const { home, runtime, record } = makeRecord();
  record.addRuntime(runtime, { source: '/p/demo', stub: 'a' });
  rmSync(join(home, '.skillc/made'), { recursive: true });
  expect(record.runtime(runtime)).toBeUndefined();
  record.addRuntime(runtime, { source: '/p/demo', stub: 'a' });
  expect(record.runtime(runtime)).toEqual({ source: '/p/demo', stub: 'a', before: '' });
});

test('E016 when the record cannot be written', () => {
  const { home, runtime, record } = makeRecord();
  writeFileSync(join(home, '.skillc'), 'a file');
  expect(() => record.addRuntime(runtime, { source: '/p/demo', stub: 'a' })).toThrow(
    expect.objectContaining({ code: 'E016' }),
  );
  expect(record.runtime(runtime)).toBeUndefined();
});
