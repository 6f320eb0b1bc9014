import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { loadCatalog } from './load-catalog.ts';
import { disabledNames, readSkillState, setSkillEnabled } from './skill-state.ts';

function makeWorld(tree: Tree = {}) {
  const root = makeDirectory({ 'home/x': '', 'work/.skillc': { directory: true }, ...tree });
  const context = { cwd: join(root, 'work'), home: join(root, 'home'), env: {} };
  const fileOf = (place: string) => join(root, place, '.skillc/state.json');
  const stateOf = (place: string) => JSON.parse(readFileSync(fileOf(place), 'utf8')) as unknown;
  return { root, context, fileOf, stateOf };
}

test('a scope remembers what it has switched off, by any spelling of the name', () => {
  const { context, fileOf, stateOf } = makeWorld();
  expect(setSkillEnabled(['pdf', 'Letters'], false, { ...context, scope: 'user' })).toEqual({
    path: fileOf('home'),
    scope: 'user',
    changed: ['pdf', 'Letters'],
    stillDisabled: [],
  });
  expect(setSkillEnabled(['PDF'], false, { ...context, scope: 'user' }).changed).toEqual([]);
  expect(setSkillEnabled(['letters'], true, { ...context, scope: 'user' }).changed).toEqual(['letters']);
  expect(stateOf('home')).toEqual({ version: 1, disabled: ['pdf'] });
  expect(readSkillState('user', context)).toEqual({ disabled: ['pdf'] });
  expect(readSkillState('project', context)).toEqual({ disabled: [] });
});

test('without a scope it is the project that decides, where there is one', () => {
  const { context, root } = makeWorld();
  expect(setSkillEnabled(['a'], false, context).scope).toBe('project');
  expect(setSkillEnabled(['a'], false, { ...context, cwd: root }).scope).toBe('user');
});

test('a project cannot switch on what the user has switched off', () => {
  const { context } = makeWorld();
  setSkillEnabled(['a'], false, { ...context, scope: 'user' });
  const { changed, stillDisabled } = setSkillEnabled(['a', 'b'], true, { ...context, scope: 'project' });
  expect({ changed, stillDisabled }).toEqual({ changed: [], stillDisabled: ['a'] });
  const states = (['user', 'project'] as const).map((scope) => readSkillState(scope, context));
  expect([...disabledNames(states)]).toEqual(['a']);
});

test('what else the file holds is kept', () => {
  const { context, stateOf } = makeWorld({
    'work/.skillc/state.json':
      '{"version": 1, "permissions": [{"tool": "skill_load"}], "disabled": ["x", 7]}',
  });
  setSkillEnabled(['a'], false, { ...context, scope: 'project' });
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
  const { context, root, fileOf, stateOf } = makeWorld({ 'work/.skillc/state.json': text });
  const { disabled, problem } = readSkillState('project', context);
  expect([disabled, problem?.message]).toEqual([[], `cannot read '${fileOf('work')}': ${why}`]);
  setSkillEnabled(['b'], false, { ...context, scope: 'project' });
  expect(stateOf('work')).toEqual({ version: 1, disabled: ['b'] });
  const names = readdirSync(join(root, 'work/.skillc')).sort();
  expect(names).toEqual(['state.json', expect.stringMatching(/^state\.json\.damaged-\d+$/)]);
  expect(readFileSync(join(root, 'work/.skillc', names[1] ?? ''), 'utf8')).toBe(text);
});

test('records carry what either scope says', async () => {
  const text = (name: string) => `---\nname: ${name}\ndescription: D.\n---\n`;
  const { context } = makeWorld({
    'work/.agents/skills/a/SKILL.md': text('a'),
    'work/.agents/skills/b/SKILL.md': text('b'),
    'home/.agents/skills/C/SKILL.md': text('C'),
    'work/.skillc/state.json': '{"disabled": ["c"]}',
    'home/.skillc/state.json': '{"disabled": ["a"]}',
  });
  const { skills } = await loadCatalog({ ...context, trusted: true });
  expect(skills.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['a', false],
    ['b', true],
    ['C', false],
  ]);
});

test('several processes at once lose nothing', async () => {
  const { context } = makeWorld();
  const module = new URL('./skill-state.ts', import.meta.url).href;
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(
    names.map((name) => {
      const script = `
        import { setSkillEnabled } from ${JSON.stringify(module)};
        for (let number = 0; number < 10; number++)
          setSkillEnabled(['${name}' + number], false, ${JSON.stringify({ ...context, scope: 'user' })});`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
      return new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', resolve);
      });
    }),
  );
  const expected = names.flatMap((name) => Array.from({ length: 10 }, (_, number) => `${name}${number}`));
  expect(readSkillState('user', context).disabled).toEqual(expected);
});
