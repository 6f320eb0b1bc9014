import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { sha256 } from '../../base/files/hash.ts';
import { noProgress } from './quiz-progress.ts';
import { openQuizStateFile } from './quiz-state-file.ts';

const HOUR = 3600_000;
const start = Date.parse('2026-01-02T03:04:05Z');
const passed = {
  quizzes: [{ passed: true, attempts: 1, score: 100, answers: {}, known: [0] }],
};

function place() {
  const root = makeDirectory({
    'project/.skillc': { directory: true },
    'project/sub/x': '',
    'home/.skillc': { directory: true },
  });
  const state = { time: start };
  const open = (cwd = 'project', session?: string) =>
    openQuizStateFile(
      workspaceAt({ cwd: join(root, cwd), home: join(root, 'home') }, { env: { SKC_SESSION: session } }),
      () => new Date(state.time),
    );
  return { root, state, open, file: join(root, 'home/.skillc/state.json') };
}

test('without a session name, a project is one session for 24 hours', () => {
  const { open, state } = place();
  open().update('d', () => passed);
  const id = open().session();
  expect([open().read('d'), open('project/sub').read('d')]).toEqual([passed, passed]);
  expect(open('home').read('d')).toBeUndefined();
  state.time += 24 * HOUR - 1;
  expect(open().read('d')).toEqual(passed);
  state.time += 1;
  expect([open().read('d'), open().session()]).toEqual([undefined, id]);
});

test('a clock set back opens no gate', () => {
  const { open, state } = place();
  open().update('d', () => passed);
  state.time -= 1;
  expect(open().read('d')).toBeUndefined();
});

test('a named session is separate and does not expire', () => {
  const { open, state } = place();
  open('project', 'a').update('d', () => passed);
  state.time += 48 * HOUR;
  expect([open('project', 'a').read('d'), open('project', 'b').read('d'), open().read('d')]).toEqual([
    passed,
    undefined,
    undefined,
  ]);
  expect([open('project', 'a').session(), open('project', 'b').session()]).toEqual(['a', 'b']);
});

test("outside a project, the user's file remembers", () => {
  const { open, root } = place();
  open('home').update('d', () => passed);
  expect(open('.').read('d')).toEqual(passed);
  expect(existsSync(join(root, 'home/.skillc/state.json'))).toBe(true);
});

test('a state file that comes with a project passes no quiz', () => {
  const { root, open, file } = place();
  open().update('d', () => passed);
  const shipped = join(root, 'project/.skillc/state.json');
  renameSync(file, shipped);
  expect(open().read('d')).toBeUndefined();
});

test('keeps other keys of the file, drops old entries', () => {
  const { root, open, state, file } = place();
  writeFileSync(file, JSON.stringify({ version: 1, disabled: ['x'] }));
  open().update('old', () => passed);
  open('project', 'gone').update('old', () => passed);
  state.time += 31 * 24 * HOUR;
  open().update('new', (before) => {
    expect(before).toBeUndefined();
    return passed;
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    version: 1,
    disabled: ['x'],
    quiz: {
      [`default-${sha256(join(root, 'project')).slice(0, 16)}`]: {
        id: expect.any(String),
        skills: { new: { at: new Date(state.time).toISOString(), progress: passed } },
      },
    },
  });
  open().forget('new');
  expect(open().read('new')).toBeUndefined();
});

test.each([
  '',
  'x',
  '[]',
  '{"quiz":5}',
  '{"quiz":{"default":{}}}',
  '{"quiz":{"default":{"id":"x","skills":{"d":1}}}}',
  '{"quiz":{"__proto__":{}}}',
])('a damaged file remembers nothing: %s', (content) => {
  const { open, file } = place();
  writeFileSync(file, content);
  expect(open().read('d')).toBeUndefined();
  open().update('d', () => passed);
  expect(open().read('d')).toEqual(passed);
});

test('two processes at once lose nothing', async () => {
  const { root, open, file } = place();
  const module = new URL('./quiz-state-file.ts', import.meta.url).href;
  const workspaces = new URL('../workspace/workspace.ts', import.meta.url).href;
  const work = (name: string) => `
    const { openQuizStateFile } = await import(${JSON.stringify(module)});
    const { settleWorkspace } = await import(${JSON.stringify(workspaces)});
    const place = ${JSON.stringify({ cwd: join(root, 'project'), home: join(root, 'home'), env: {} })};
    const memory = openQuizStateFile(settleWorkspace(place), () => new Date(${start}));
    for (let n = 0; n < 20; n++) memory.update('${name}' + n, () => (${JSON.stringify(passed)}));`;
  const children = ['a', 'b'].map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', work(name)], { stdio: 'inherit' }),
  );
  expect(await Promise.all(children.map((child) => once(child, 'exit')))).toEqual([
    [0, null],
    [0, null],
  ]);
  const names = ['a', 'b'].flatMap((name) => Array.from({ length: 20 }, (_, n) => name + n));
  expect(names.filter((name) => open().read(name) === undefined)).toEqual([]);
  expect(readdirSync(join(file, '..'))).toEqual(['state.json']);
});

test('does not store choices before an answer is given', () => {
  const { open, file } = place();
  open().session();
  open().update('d', () => noProgress([]));
  expect(readFileSync(file, 'utf8')).not.toMatch(/correct|label/);
});
