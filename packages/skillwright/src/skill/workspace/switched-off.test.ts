import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { loadCatalog } from '../../read/catalog/load-catalog.ts';
import { storeAt } from './project.ts';
import { readSwitchedOff, switchSkills } from './switched-off.ts';

function makeWorld(tree: Tree = {}) {
  const root = makeDirectory({ 'home/x': '', 'work/.skillc': { directory: true }, ...tree });
  const user = storeAt('user', join(root, 'home'));
  const project = storeAt('project', join(root, 'work'));
  const workspace = workspaceAt({ cwd: join(root, 'work'), home: join(root, 'home') });
  const fileOf = (place: string) => join(root, place, '.skillc/state.json');
  const stateOf = (place: string) => JSON.parse(readFileSync(fileOf(place), 'utf8')) as unknown;
  return { root, user, project, workspace, fileOf, stateOf };
}

test('a scope remembers switched-off skills, by any spelling of the name', () => {
  const { user, project, fileOf, stateOf } = makeWorld();
  expect(switchSkills(['pdf', 'Letters'], false, { store: user, others: [project] })).toEqual({
    path: fileOf('home'),
    scope: 'user',
    changed: ['pdf', 'Letters'],
    stillDisabled: [],
  });
  expect(switchSkills(['PDF'], false, { store: user, others: [project] }).changed).toEqual([]);
  expect(switchSkills(['letters'], true, { store: user, others: [project] }).changed).toEqual(['letters']);
  expect(stateOf('home')).toEqual({ version: 1, disabled: ['pdf'] });
  expect(readSwitchedOff([user]).names).toEqual(['pdf']);
  expect(readSwitchedOff([project]).names).toEqual([]);
});

test('a project cannot switch on a skill the user switched off', () => {
  const { user, project } = makeWorld();
  switchSkills(['a'], false, { store: user, others: [project] });
  const { changed, stillDisabled } = switchSkills(['a', 'b'], true, { store: project, others: [user] });
  expect({ changed, stillDisabled }).toEqual({ changed: [], stillDisabled: ['a'] });
  const off = readSwitchedOff([project, user]);
  expect([off.names, off.has(['b', 'A']), off.has(['b'])]).toEqual([['a'], true, false]);
});

test('keeps the rest of the file', () => {
  const { user, project, stateOf } = makeWorld({
    'work/.skillc/state.json':
      '{"version": 1, "permissions": [{"tool": "skill_load"}], "disabled": ["x", 7]}',
  });
  switchSkills(['a'], false, { store: project, others: [user] });
  expect(stateOf('work')).toEqual({
    version: 1,
    permissions: [{ tool: 'skill_load' }],
    disabled: ['a', 'x'],
  });
});

test.each([
  ['no JSON', '{"disabled": ["a"', 'not JSON'],
  ['no object', '["a"]', 'not a JSON object'],
])('%s switches nothing off, says so, and is kept when it is replaced', (_what, text, why) => {
  const { user, project, root, fileOf, stateOf } = makeWorld({ 'work/.skillc/state.json': text });
  const { names: off, problems } = readSwitchedOff([project]);
  expect([off, problems[0]?.message]).toEqual([[], `cannot read '${fileOf('work')}': ${why}`]);
  switchSkills(['b'], false, { store: project, others: [user] });
  expect(stateOf('work')).toEqual({ version: 1, disabled: ['b'] });
  const names = readdirSync(join(root, 'work/.skillc')).sort();
  expect(names).toEqual(['state.json', expect.stringMatching(/^state\.json\.damaged-\d+$/)]);
  expect(readFileSync(join(root, 'work/.skillc', names[1] ?? ''), 'utf8')).toBe(text);
});

test('records show the switches of both scopes', async () => {
  const text = (name: string) => `---\nname: ${name}\ndescription: D.\n---\n`;
  const { workspace } = makeWorld({
    'work/.agents/skills/a/SKILL.md': text('a'),
    'work/.agents/skills/b/SKILL.md': text('b'),
    'home/.agents/skills/C/SKILL.md': text('C'),
    'work/.skillc/state.json': '{"disabled": ["c"]}',
    'home/.skillc/state.json': '{"disabled": ["a"]}',
  });
  const { skills } = await loadCatalog(workspace);
  expect(skills.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['a', false],
    ['b', true],
    ['C', false],
  ]);
});

test('several processes at once lose nothing', async () => {
  const { user } = makeWorld();
  const module = new URL('./switched-off.ts', import.meta.url).href;
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(
    names.map((name) => {
      const script = `
        import { switchSkills } from ${JSON.stringify(module)};
        for (let number = 0; number < 10; number++)
          switchSkills(['${name}' + number], false, ${JSON.stringify({ store: user, others: [] })});`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
      return new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', resolve);
      });
    }),
  );
  const expected = names.flatMap((name) => Array.from({ length: 10 }, (_, number) => `${name}${number}`));
  expect(readSwitchedOff([user]).names).toEqual(expected);
});
