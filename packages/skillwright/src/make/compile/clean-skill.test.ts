import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';

const source = '.skillc/skills/demo';

const makeDemo = (files = {}) =>
  makeWorld({ [`${source}/SKILL.md`]: skillText('demo'), [`${source}/a.md`]: '# A\n', ...files });

/** Files and links, without directories. */
const thingsIn = (world: World) =>
  Object.fromEntries(
    Object.entries(world.list()).filter(
      // The first file of a project brings a `.gitignore`, which stays.
      ([path, content]) => content !== '/' && path !== 'project/.skillc/.gitignore',
    ),
  );

describe('clean removes exactly what build made', () => {
  test.each<[string, string[]]>([
    ['a link', []],
    ['several agents', ['--target', 'claude,cursor,codex,agents']],
    ['a copy', ['--copy']],
    ['a directory of choice', ['--target', './somewhere/else/']],
    ['a copy in a directory of choice', ['--target', '~/x/y/', '--copy']],
    ['the project', ['--scope', 'project']],
    ['the project, for two agents', ['--scope', 'project', '--target', 'claude,goose']],
    ["the user's runtime", ['--global']],
    ["the user's runtime and the project's agent", ['--global', '--scope', 'project', '--copy']],
    ['no target', ['--target', 'none']],
  ])('%s', async (_what, flags) => {
    const world = makeDemo({
      '~/.claude/skills/other/SKILL.md': 'mine',
      '.skillc/runtime/other/SKILL.md': 'mine',
      '.skillc/config.toml': '',
    });
    const before = thingsIn(world);
    expect((await world.run(['build', 'demo', ...flags])).status).toBe(0);
    expect(thingsIn(world)).not.toEqual(before);
    const { status, stdout } = await world.run(['clean', 'demo']);
    expect({ status, first: stdout.split(' ')[0] }).toEqual({ status: 0, first: 'removed' });
    expect(thingsIn(world)).toEqual(before);
    expect(await world.run(['clean', 'demo'])).toMatchObject({
      status: 0,
      stdout: 'nothing to clean for demo\n',
    });
  });

  test.each<[string, string[]]>([
    ['a link', []],
    ['a copy', ['--copy']],
    ['a directory of choice', ['--target', './here/']],
    ["the user's", ['--global']],
  ])('%s, even without the source', async (_what, flags) => {
    const world = makeDemo();
    await world.run(['build', 'demo', ...flags]);
    rmSync(join(world.project, source), { recursive: true });
    expect(await world.run(['clean', 'demo'])).toMatchObject({ status: 0, stderr: '' });
    expect(thingsIn(world)).toEqual({});
    const again = await world.run(['clean', 'demo']);
    expect(again).toMatchObject({
      status: 1,
      stderr:
        "error[E001]: skill 'demo' not found\nhelp: check the spelling, give the path of the directory with SKILL.md, or run `skc list` to see all names\n",
    });
  });

  test('cleans the links of a runtime directory that was removed by hand', async () => {
    const world = makeDemo();
    const before = thingsIn(world);
    await world.run(['build', 'demo']);
    rmSync(join(world.project, '.skillc/runtime'), { recursive: true });
    expect(await world.run(['clean', 'demo'])).toMatchObject({
      status: 0,
      stdout: 'removed <home>/.claude/skills/demo\n',
    });
    expect(thingsIn(world)).toEqual(before);
  });

  test('a name too long for any file system', async () => {
    const name = 'a'.repeat(256);
    expect(await makeDemo().run(['clean', name])).toMatchObject({
      status: 1,
      stderr: `error[E001]: skill '${name}' not found\nhelp: check the spelling, give the path of the directory with SKILL.md, or run \`skc list\` to see all names\n`,
    });
  });

  test('the report names every file and link, also as JSON', async () => {
    const world = makeDemo();
    await world.run(['build', 'demo']);
    const { removed, ...rest } = (await world.run(['clean', './.skillc/skills/demo', '--json'])).json() as {
      removed: string[];
    };
    expect(rest).toEqual({ skill: './.skillc/skills/demo', dry_run: false, kept: [], restored: [] });
    expect(removed.map((path) => path.replace(/[0-9a-f]{16}/, '<hash16>'))).toEqual([
      '<home>/.claude/skills/demo',
      '<cwd>/.skillc/runtime/demo/SKILL.md',
      '<cwd>/.skillc/runtime/demo/.skillc/search-<hash16>.db',
      '<cwd>/.skillc/runtime/demo/.skillc/manifest.json',
    ]);
  });
});

describe('clean --dry-run', () => {
  test('lists what it would remove, and removes nothing', async () => {
    const world = makeDemo();
    await world.run(['build', 'demo']);
    const before = world.list();
    const said = await world.run(['clean', 'demo', '--dry-run']);
    expect(world.list()).toEqual(before);
    const done = await world.run(['clean', 'demo']);
    expect(done.stdout).toContain('removed <home>/.claude/skills/demo\n');
    expect(said).toMatchObject({
      status: 0,
      stdout: done.stdout.replaceAll(/^removed/gm, 'would remove'),
      stderr: '',
    });
  });

  test('for a skill without its source', async () => {
    const world = makeDemo();
    await world.run(['build', 'demo']);
    rmSync(join(world.project, '.skillc/skills/demo'), { recursive: true });
    const before = world.list();
    expect((await world.run(['clean', 'demo', '-n', '--json'])).json()).toMatchObject({ dry_run: true });
    expect(world.list()).toEqual(before);
  });
});

describe('clean --logs', () => {
  const log = '.skillc/runtime/demo/.skillc/logs.db';

  test('removes the access log with the flag, and keeps it without', async () => {
    const world = makeDemo();
    await world.run(['build', 'demo'], { env: { SKC_NO_LOG: '' } });
    await world.run(['clean', 'demo']);
    expect(existsSync(join(world.project, log))).toBe(true);
    rmSync(join(world.project, '.skillc/skills/demo'), { recursive: true });
    expect((await world.run(['clean', 'demo', '--logs'])).stdout).toContain(`removed <cwd>/${log}\n`);
    expect(existsSync(join(world.project, '.skillc/runtime/demo'))).toBe(false);
  });

  test('keeps the log behind a linked runtime directory', async () => {
    const world = makeDemo({ '~/other/.skillc/logs.db': 'mine' });
    mkdirSync(join(world.project, '.skillc/runtime'), { recursive: true });
    symlinkSync(join(world.home, 'other'), join(world.project, '.skillc/runtime/shipped'));
    await world.run(['clean', 'shipped', '--logs']);
    expect(world.read('~/other/.skillc/logs.db')).toBe('mine');
  });

  test.each(['..', '.', '../runtime', 'a/b'])('%s is not the name of a runtime directory', async (name) => {
    const world = makeDemo({ '.skillc/.skillc/logs.db': 'mine', '.skillc/runtime/.skillc/logs.db': 'mine' });
    await world.run(['clean', name, '--logs']);
    expect(world.read('.skillc/.skillc/logs.db')).toBe('mine');
    expect(world.read('.skillc/runtime/.skillc/logs.db')).toBe('mine');
  });
});

describe('clean leaves alone', () => {
  test('a copy that the user changed', async () => {
    const world = makeDemo();
    await world.run(['build', 'demo', '--copy']);
    world.write({ '~/.claude/skills/demo/notes.md': 'mine' });
    expect((await world.run(['clean', 'demo'])).stdout).toContain(
      'kept <home>/.claude/skills/demo: changed since the build, or not made by skc\n',
    );
    expect(world.read('~/.claude/skills/demo/notes.md')).toBe('mine');
  });

  test('links of the same name that lead somewhere else, and hand-made directories', async () => {
    const world = makeDemo({ '~/.cursor/skills/demo/SKILL.md': 'mine', '~/dotfiles/demo/SKILL.md': 'mine' });
    await world.run(['build', 'demo', '--target', 'none']);
    mkdirSync(join(world.home, '.claude/skills'), { recursive: true });
    symlinkSync(join(world.home, 'dotfiles/demo'), join(world.home, '.claude/skills/demo'));
    const listHome = () =>
      Object.entries(world.list(world.home)).filter(([path]) => !path.startsWith('.skillc/made'));
    const home = listHome();
    await world.run(['clean', 'demo']);
    expect(listHome()).toEqual(home);
  });

  test('the access log and anything else in the runtime directory', async () => {
    const world = makeDemo();
    await world.run(['build', 'demo', '--target', 'none']);
    writeFileSync(join(world.project, '.skillc/runtime/demo/.skillc/logs.db'), 'log');
    writeFileSync(join(world.project, '.skillc/runtime/demo/notes.md'), 'mine');
    await world.run(['clean', 'demo']);
    expect(Object.keys(world.list(join(world.project, '.skillc/runtime/demo')))).toEqual([
      '.skillc',
      '.skillc/logs.db',
      'notes.md',
    ]);
    // And a build is possible again.
    expect((await world.run(['build', 'demo', '--target', 'none'])).status).toBe(0);
  });

  test("another skill's index in the same runtime directory", async () => {
    const world = makeDemo({ 'docs/demo/SKILL.md': skillText('demo', '# Second\n') });
    await world.run(['build', 'demo', '--target', 'none']);
    await world.run(['build', './docs/demo', '--target', 'none', '--force']);
    await world.run(['clean', 'demo']);
    expect((await world.run(['show', './docs/demo', '--section', 'second'])).stdout).toBe('# Second\n');
    await world.run(['clean', './docs/demo']);
    expect(world.list(join(world.project, '.skillc/runtime'))).toEqual({});
  });

  test('names that are not skill names', async () => {
    const world = makeDemo({ '.skillc/runtime/other/SKILL.md': 'mine', '../victim/SKILL.md': 'mine' });
    await world.run(['build', 'demo']);
    const before = world.list();
    for (const word of [
      '../victim',
      '../../../victim',
      '..',
      '.',
      '/',
      'other',
      'demo/',
      '.skillc/runtime',
      'nothing',
    ]) {
      if (word === 'demo/') continue;
      const { status } = await world.run(['clean', word]);
      expect({ word, status }).toEqual({ word, status: word === '../victim' ? 0 : 1 });
      expect(world.list()).toEqual(before);
    }
  });
});
