// Commands as the tests of skillc expect them, the implementation RFC-0001 and RFC-0002 come from. A case in which we
// do otherwise names the ruling in docs/decisions/0011-differences-from-skillc.md.

import { existsSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../make-world.ts';

const runtime = '.skillc/runtime';
const rich = {
  '.skillc/skills/guide/SKILL.md': skillText(
    'guide',
    '# Guide\n\n## First Steps\n\nBegin here.\n\n### What You Need\n\nA pen.\n\n## Reference\n\nAll calls.\n',
  ),
  '.skillc/skills/guide/docs/deep.md': '# Deep Water\n\n## Speed\n\nSpeed hints here.\n',
};
const small = (name: string, where = '.skillc/skills') => ({
  [`${where}/${name}/SKILL.md`]: skillText(name),
});

async function worldWith(files: Record<string, string>, ...builds: string[]): Promise<World> {
  const world = makeWorld(files);
  for (const name of builds) await world.run(['build', name, '--target', './agent/']);
  return world;
}

const has = (world: World, path: string) => existsSync(join(world.project, path));
const inHome = (world: World, path: string) => existsSync(join(world.home, path));

describe('build', () => {
  test('a skill of the project, by name: compiled beside it, deployed to the agent', async () => {
    const world = makeWorld(small('one'));
    const { status, stdout } = await world.run(['build', 'one', '--target', './agent/']);
    expect([status, has(world, `${runtime}/one`), has(world, 'agent/one/SKILL.md')]).toEqual([0, true, true]);
    expect(stdout).toMatch(/one: created[\s\S]*agent\/one/);
  });
  test('R1: a path outside the store is built where it lies; --import copies it into the store', async () => {
    const world = makeWorld(small('outer', 'elsewhere'));
    await world.run(['build', 'elsewhere/outer', '--target', 'none']);
    expect(has(world, '.skillc/skills/outer')).toBe(false);
    await world.run(['build', 'elsewhere/outer', '--import', '--target', 'none']);
    expect([has(world, '.skillc/skills/outer/SKILL.md'), has(world, `${runtime}/outer`)]).toEqual([
      true,
      true,
    ]);
  });
  test('an import over a skill of that name needs --force', async () => {
    const world = makeWorld({
      ...small('same'),
      '.skillc/skills/same/mark.txt': 'old',
      ...small('same', 'elsewhere'),
      'elsewhere/same/mark.txt': 'new',
    });
    const words = ['build', 'elsewhere/same', '--import', '--target', 'none'];
    expect((await world.run(words)).status).toBe(1);
    expect(world.read('.skillc/skills/same/mark.txt')).toBe('old');
    expect((await world.run([...words, '--force'])).status).toBe(0);
    expect(world.read('.skillc/skills/same/mark.txt')).toBe('new');
  });
  test('--global compiles below the home directory', async () => {
    const world = makeWorld(small('one'));
    expect((await world.run(['build', 'one', '--global', '--target', './agent/'])).status).toBe(0);
    expect(inHome(world, `${runtime}/one`)).toBe(true);
  });
  test('--copy deploys a directory, and says so', async () => {
    const world = makeWorld(small('one'));
    const { stdout } = await world.run(['build', 'one', '--copy', '--target', './agent/']);
    expect(lstatSync(join(world.project, 'agent/one')).isDirectory()).toBe(true);
    expect(stdout).toMatch(/cop(?:y|ied)/);
  });
  test('several targets', async () => {
    const world = makeWorld(small('one'));
    await world.run(['build', 'one', '--target', './a/,./b/']);
    expect([has(world, 'a/one/SKILL.md'), has(world, 'b/one/SKILL.md')]).toEqual([true, true]);
  });
  test('from a directory deep in the project', async () => {
    const world = makeWorld({ ...small('one'), 'src/deep/x.txt': '' });
    await world.run(['build', 'one', '--target', 'none'], { cwd: join(world.project, 'src/deep') });
    expect(has(world, `${runtime}/one`)).toBe(true);
  });
  test('a skill that is not there: E001', async () => {
    const { status, stderr } = await makeWorld().run(['build', 'nobody', '--target', 'none']);
    expect([status, stderr]).toEqual([1, expect.stringContaining("error[E001]: skill 'nobody' not found")]);
  });
  test('R2: the manifest lies in .skillc/, where RFC-0001 puts it, not in .skillc-meta/', async () => {
    const world = await worldWith(small('one'), 'one');
    expect(has(world, `${runtime}/one/.skillc/manifest.json`)).toBe(true);
    expect(has(world, `${runtime}/one/.skillc-meta`)).toBe(false);
  });
  test('--import --global goes to the store of the user alone', async () => {
    const world = makeWorld(small('outer', 'elsewhere'));
    await world.run(['build', 'elsewhere/outer', '--import', '--global', '--target', 'none']);
    expect([inHome(world, '.skillc/skills/outer'), has(world, '.skillc/skills/outer')]).toEqual([
      true,
      false,
    ]);
  });
  test('a directory in the way is not overwritten', async () => {
    const world = makeWorld({ ...small('one'), 'agent/one/mine.txt': 'mine' });
    const { status, stderr } = await world.run(['build', 'one', '--target', './agent/']);
    expect([status, stderr.slice(0, 11), world.read('agent/one/mine.txt')]).toEqual([
      1,
      'error[E013]',
      'mine',
    ]);
  });
  test('R3: --copy does not overwrite a directory either; --force does, and keeps a backup', async () => {
    const world = makeWorld({ ...small('one'), 'agent/one/mine.txt': 'mine' });
    expect((await world.run(['build', 'one', '--copy', '--target', './agent/'])).status).toBe(1);
    expect(world.read('agent/one/mine.txt')).toBe('mine');
    expect((await world.run(['build', 'one', '--copy', '--force', '--target', './agent/'])).status).toBe(0);
    expect([has(world, 'agent/one/mine.txt'), has(world, 'agent/one/SKILL.md')]).toEqual([false, true]);
    expect(Object.values(world.list())).toContain('mine');
  });
  test('R4: a skill of the project is deployed to the agent directory of the user', async () => {
    const world = makeWorld(small('one'));
    await world.run(['build', 'one', '--target', 'claude']);
    expect([inHome(world, '.claude/skills/one'), has(world, '.claude/skills/one')]).toEqual([true, false]);
  });
});

describe('gateway', () => {
  const outline = `SKILL.md
  # Guide
  ## First Steps
    ### What You Need
  ## Reference
docs/deep.md
  # Deep Water
  ## Speed
`;
  const ask = async (world: World, ...words: string[]) => (await world.run(words)).stdout;
  test.each([
    ['unbuilt', [] as string[]],
    ['built', ['guide']],
  ])('outline, %s, and with --level 2', async (_, builds) => {
    const world = await worldWith(rich, ...builds);
    expect(await ask(world, 'outline', 'guide')).toBe(outline);
    expect(await ask(world, 'outline', 'guide', '--level', '2')).toBe(outline.replace(/.*###.*\n/, ''));
  });
  test('R5: show of a skill that was never built is E002', async () => {
    const { status, stderr } = await makeWorld(rich).run(['show', 'guide', '--section', 'First Steps']);
    expect([status, stderr.slice(0, 11)]).toEqual([1, 'error[E002]']);
  });
  test('show prints a section with the sections below it', async () => {
    const world = await worldWith(rich, 'guide');
    expect(await ask(world, 'show', 'guide', '--section', 'First Steps')).toBe(
      '## First Steps\n\nBegin here.\n\n### What You Need\n\nA pen.\n\n',
    );
  });
  test('show --max-lines', async () => {
    const world = await worldWith(rich, 'guide');
    const { stdout } = await world.run(['show', 'guide', '-s', 'First Steps', '--max-lines', '3']);
    expect(stdout).toMatch(/^## First Steps\n\nBegin here\.\n\.\.\. \(\d+ more lines\)\n$/);
  });
  test('show takes a line of a stub with its description', async () => {
    const world = await worldWith(rich, 'guide');
    expect(await ask(world, 'show', 'guide', '-s', 'Reference — how to call it')).toContain('All calls.');
  });
  test('show suggests what is near', async () => {
    const world = await worldWith(rich, 'guide');
    const { status, stderr } = await world.run(['show', 'guide', '-s', 'First']);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/E020[\s\S]*section not found[\s\S]*Did you mean[\s\S]*First Steps/),
    ]);
  });
  test('open gives a file, and --max-lines its beginning', async () => {
    const world = makeWorld(rich);
    expect(await ask(world, 'open', 'guide', 'docs/deep.md')).toBe(rich['.skillc/skills/guide/docs/deep.md']);
    expect(await ask(world, 'open', 'guide', 'docs/deep.md', '--max-lines', '3')).toBe(
      '# Deep Water\n\n## Speed\n... (2 more lines)\n',
    );
  });
  test('sources as a tree', async () => {
    expect(await ask(makeWorld(rich), 'sources', 'guide')).toBe(
      'guide/\n├── docs/\n│   └── deep.md\n└── SKILL.md\n',
    );
  });
  test('R6: sources as JSON is an object with the entries of the tree, in its order', async () => {
    const { entries } = (await makeWorld(rich).run(['sources', 'guide', '--json'])).json() as {
      entries: { path: string; type: string }[];
    };
    expect(entries.map(({ path, type }) => `${type} ${path}`)).toEqual([
      'directory docs',
      'file docs/deep.md',
      'file SKILL.md',
    ]);
  });
  test.each([
    ['--depth', '1', 'guide/\n├── docs/ (1 files)\n└── SKILL.md\n'],
    ['--dir', 'docs', 'docs/\n└── deep.md\n'],
    ['--pattern', '*.md', 'guide/\n├── docs/\n│   └── deep.md\n└── SKILL.md\n'],
    ['--limit', '2', 'guide/\n├── docs/\n│   └── deep.md\n└── ... (1 more)\n'],
  ])('sources %s %s', async (flag, value, expected) => {
    expect(await ask(makeWorld(rich), 'sources', 'guide', flag, value)).toBe(expected);
  });
  test.each([
    ['reference', 'All calls.'],
    ['  REFERENCE  ', 'All calls.'],
    ['deep water', 'Speed hints'],
  ])('show finds %j whatever its case', async (section, expected) => {
    expect(await ask(await worldWith(rich, 'guide'), 'show', 'guide', '-s', section)).toContain(expected);
  });
  test('show --file looks in that file alone', async () => {
    const world = await worldWith(rich, 'guide');
    const { status, stderr } = await world.run([
      'show',
      'guide',
      '-s',
      'Reference',
      '--file',
      'docs/deep.md',
    ]);
    expect([status, stderr.slice(0, 11)]).toEqual([1, 'error[E020]']);
  });
  test('show suggests a heading by a word in its middle', async () => {
    const world = await worldWith(rich, 'guide');
    expect((await world.run(['show', 'guide', '-s', 'Water'])).stderr).toContain(
      '- Deep Water (docs/deep.md)',
    );
  });
  test('a directory without SKILL.md in the store is E010', async () => {
    const world = makeWorld({ '.skillc/skills/empty/notes.txt': '' });
    expect((await world.run(['outline', 'empty'])).stderr.slice(0, 11)).toBe('error[E010]');
  });
  test('R18: a path names a skill too, for every command', async () => {
    const world = makeWorld(rich);
    for (const path of ['./.skillc/skills/guide', join(world.project, '.skillc/skills/guide/SKILL.md')])
      expect(await ask(world, 'outline', path)).toBe(outline);
  });
  test('sources --dir ../.. is E012', async () => {
    const { status, stderr } = await makeWorld(rich).run(['sources', 'guide', '--dir', '../..']);
    expect([status, stderr.slice(0, 11)]).toEqual([1, 'error[E012]']);
  });
});

describe('init', () => {
  test('a project, twice', async () => {
    const world = makeWorld();
    rmSync(join(world.project, '.skillc'), { recursive: true });
    for (const _ of [1, 2]) expect((await world.run(['init'])).status).toBe(0);
    expect(has(world, '.skillc/skills')).toBe(true);
  });
  test('R7: a skill of the project, with the project if there is none, and a description that passes lint', async () => {
    const world = makeWorld();
    rmSync(join(world.project, '.skillc'), { recursive: true });
    expect((await world.run(['init', 'my-new-skill'])).status).toBe(0);
    expect(world.read('.skillc/skills/my-new-skill/SKILL.md')).toMatch(
      /^---\nname: my-new-skill\ndescription: .+\n---\n\n# My New Skill\n/,
    );
  });
  test('--global', async () => {
    const world = makeWorld();
    await world.run(['init', 'mine', '--global']);
    expect([inHome(world, '.skillc/skills/mine/SKILL.md'), has(world, '.skillc/skills/mine')]).toEqual([
      true,
      false,
    ]);
  });
  test('E050 for a skill that is there', async () => {
    const world = makeWorld(small('one'));
    const { status, stderr } = await world.run(['init', 'one']);
    expect([status, stderr.split('\n')[0]]).toEqual([1, "error[E050]: skill 'one' already exists"]);
  });
  test('R8: a name with an underscore is refused, because the standard refuses it', async () => {
    const { status, stderr } = await makeWorld().run(['init', 'my_skill']);
    expect([status, stderr.slice(0, 11)]).toEqual([1, 'error[E100]']);
  });
});

describe('list', () => {
  const listed = async (world: World, ...words: string[]) =>
    (
      (await world.run(['list', ...words, '--json'])).json() as {
        skills: { name: string; scope: string; status: string }[];
      }
    ).skills.map(({ name, scope, status }) => `${name} ${scope} ${status}`);
  const both = { ...small('alpha'), ...small('beta'), ...small('gamma', '~/.skillc/skills') };
  test('nothing is a result', async () => {
    expect([(await makeWorld().run(['list'])).status, await listed(makeWorld())]).toEqual([0, []]);
  });
  test('skills of the project and of the user, with their scope and state', async () => {
    const all = ['alpha project not-built', 'beta project not-built', 'gamma user not-built'];
    expect(await listed(makeWorld(both))).toEqual(all);
    expect(await listed(makeWorld(both), '--status', 'not-built')).toEqual(all);
    expect((await makeWorld(both).run(['list'])).stdout).toMatch(
      /alpha[\s\S]*project[\s\S]*gamma[\s\S]*user/,
    );
  });
  test('built is normal, changed since is obsolete where that is looked at, and built again normal', async () => {
    const world = await worldWith(small('alpha'), 'alpha');
    const states = [await listed(world, '--check-obsolete')];
    world.write({ '.skillc/skills/alpha/more.md': '# More\n' });
    states.push(await listed(world), await listed(world, '--check-obsolete'));
    await world.run(['build', 'alpha', '--target', 'none']);
    states.push(await listed(world, '--check-obsolete'));
    expect(states.flat().map((line) => line.replace('alpha project ', ''))).toEqual([
      'normal',
      'normal',
      'obsolete',
      'normal',
    ]);
  });
  test('the hash of a source is SHA-256, the same for the same files and another for others', async () => {
    const world = await worldWith(small('alpha'), 'alpha');
    const hash = () => JSON.parse(world.read(`${runtime}/alpha/.skillc/manifest.json`)).source_hash as string;
    const first = hash();
    await world.run(['build', 'alpha', '--force', '--target', 'none']);
    const again = hash();
    world.write({ '.skillc/skills/alpha/more.md': '# More\n' });
    await world.run(['build', 'alpha', '--target', 'none']);
    expect([first === again, first === hash(), /^[0-9a-f]{64}$/.test(first)]).toEqual([true, false, true]);
  });
  test('the index is named by 16 digits of a hash', async () => {
    const world = await worldWith(small('alpha'), 'alpha');
    const names = Object.keys(world.list()).filter((path) => /search-[0-9a-f]{16}\.db$/.test(path));
    expect(names).toHaveLength(1);
  });
  test('--scope project', async () => {
    expect(await listed(makeWorld(both), '--scope', 'project')).toHaveLength(2);
  });
  test('R9: the other scope is called user, not global', async () => {
    expect(await listed(makeWorld(both), '--scope', 'user')).toEqual(['gamma user not-built']);
    expect((await makeWorld(both).run(['list', '--scope', 'global'])).status).toBe(1);
  });
  test('--pattern', async () => {
    expect(await listed(makeWorld(both), '--pattern', 'a*')).toEqual(['alpha project not-built']);
  });
  test('--limit', async () => {
    expect(await listed(makeWorld(both), '--limit', '1')).toEqual(['alpha project not-built']);
  });
});

describe('search', () => {
  type Found = { query: string; results: { file: string; section: string; snippet: string }[] };
  const found = async (...words: string[]) =>
    (await (await worldWith(rich, 'guide')).run(['search', 'guide', ...words, '--json'])).json() as Found;
  test('all words, by section, with marks', async () => {
    const { query, results } = await found('speed hints');
    expect([query, results[0]!.file, results[0]!.section]).toEqual(['speed hints', 'docs/deep.md', 'Speed']);
    expect(results[0]!.snippet).toContain('[MATCH]');
  });
  test('nothing found is a result', async () => {
    expect((await found('xyzzy123')).results).toEqual([]);
  });
  test('--limit', async () => {
    expect((await found('here', '--limit', '1')).results).toHaveLength(1);
  });
  test.each(['speed "hints"', '  speed \t hints ', 'speed OR* NEAR( "', 'hints -- speed'])(
    'no syntax of the index leaks into %j',
    async (query) => expect((await found(query)).results[0]).toMatchObject({ section: 'Speed' }),
  );
  test('an empty query is E004', async () => {
    const { stderr } = await (await worldWith(rich, 'guide')).run(['search', 'guide', ' ']);
    expect(stderr.slice(0, 11)).toBe('error[E004]');
  });
});
