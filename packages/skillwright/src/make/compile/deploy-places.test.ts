// Deployments that could destroy something.

import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTree, makeWorld, skillText, type World } from '../../../test/make-world.ts';

const source = '.skillc/skills/demo';
const runtime = '.skillc/runtime/demo';

const makeDemo = (files = {}) => makeWorld({ [`${source}/SKILL.md`]: skillText('demo'), ...files });
const codeOf = (stderr: string) => /^error\[(\w+)\]/m.exec(stderr)?.[1];

describe('a target that is or contains the runtime directory', () => {
  const cases: [string, (world: World) => string[]][] = [
    ['by its path', () => ['--target', './.skillc/runtime/']],
    ['by its path, copied', () => ['--target', './.skillc/runtime/', '--copy', '--force']],
    ['inside it', () => ['--target', `./${runtime}/`]],
    [
      "as the agent's directory, which is a link",
      (world) => {
        mkdirSync(join(world.home, '.claude'), { recursive: true });
        symlinkSync(join(world.project, '.skillc/runtime'), join(world.home, '.claude/skills'));
        return ['--force'];
      },
    ],
  ];

  test.each(cases)('%s: E019, and the runtime directory stays', async (_what, flagsOf) => {
    const world = makeDemo();
    await world.run(['build', 'demo', '--target', 'none']);
    const before = listTree(join(world.project, runtime));
    for (const form of ['--stub', '--whole']) {
      const { stderr } = await world.run([
        'build',
        'demo',
        form,
        ...(form === '--stub' ? flagsOf(world) : ['--target', './.skillc/runtime/']),
      ]);
      expect(codeOf(stderr)).toBe('E019');
    }
    expect(lstatSync(join(world.project, runtime)).isDirectory()).toBe(true);
    expect(Object.keys(listTree(join(world.project, runtime)))).toEqual(Object.keys(before));
    expect((await world.run(['show', 'demo', '--section', 'demo'])).stdout).toBe('# demo\n');
  });
});

describe('several targets', () => {
  test('all are checked before any is changed', async () => {
    const world = makeDemo({ '~/.cursor/skills/demo/SKILL.md': 'by hand' });
    const { status, stderr } = await world.run(['build', 'demo', '--target', 'claude,cursor']);
    expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E013' });
    expect(existsSync(join(world.home, '.claude'))).toBe(false);
  });

  test('when one fails midway, the others are unchanged', async () => {
    const world = makeDemo({
      '~/.claude/skills/demo/SKILL.md': 'by hand',
      '~/.gemini': 'a file, so nothing can be put there',
      '../other/.skillc/skills/demo/SKILL.md': skillText('demo', '# Other\n'),
    });
    const other = join(world.root, 'other');
    expect((await world.run(['build', 'demo', '--target', 'cursor'], { cwd: other })).status).toBe(0);
    expect((await world.run(['build', 'demo', '--target', 'qwen', '--copy'], { cwd: other })).status).toBe(0);
    const agents = () =>
      Object.fromEntries(
        Object.entries(listTree(world.home)).filter(([path]) => !/^\.skillc\/(?:runtime|made)/.test(path)),
      );
    const before = agents();
    const { status, stderr } = await world.run([
      ...['build', 'demo', '--force', '--target', 'claude,cursor,qwen,kiro,gemini'],
    ]);
    expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E016' });
    const after = agents();
    // New directories stay, empty.
    delete after['.kiro'];
    delete after['.kiro/skills'];
    delete after['.skillc/backups'];
    expect(after).toEqual(before);
  });
});

describe('skills in an agent’s directory', () => {
  const place = '~/.claude/skills/notes';
  const long = `# Notes\n\n${'A sentence that says something about the work.\n'.repeat(60)}`;
  const env = { SKC_BUILD_DEPLOY: 'auto' };

  test('stay there: a build makes the index alone, and says what an import would change', async () => {
    const world = makeWorld({ [`${place}/SKILL.md`]: skillText('notes', long), [`${place}/a.md`]: '# A\n' });
    const before = listTree(join(world.home, '.claude'));
    const built = await world.run(['build', 'notes'], { env });
    expect(built).toMatchObject({ status: 0, stderr: '' });
    expect(built.stdout).toMatch(
      /^notes: created \(2 of 2 files indexed\)\n {2}agents read it in <home>\/\.claude\/skills: nothing to deploy\n {2}--import would move it to skc's store and leave a stub there: \d+ tokens instead of \d+; --release notes undoes that\n$/,
    );
    expect(listTree(join(world.home, '.claude'))).toEqual(before);
    expect((await world.run(['show', 'notes', '--section', 'A'])).stdout).toBe('# A\n');
    // Nothing of the user's gets into the project.
    expect(world.list(join(world.project, '.skillc'))).toEqual({});
  });

  test('are reported once when they go back, also if they were linked whole', async () => {
    const world = makeWorld({ [`${place}/SKILL.md`]: skillText('notes', '# Notes\n') });
    await world.run(['build', 'notes', '--import'], { env });
    expect((await world.run(['build', '--release', 'notes'])).stdout).toBe(
      'notes: put back <home>/.claude/skills/notes\n',
    );
  });

  test('go to the store of their own scope, and back again with everything they had', async () => {
    const world = makeWorld({
      [`${place}/SKILL.md`]: skillText('notes', long),
      [`${place}/a.md`]: '# A\n',
      [`${place}/.env`]: 'hidden',
    });
    const dir = join(world.home, '.claude/skills/notes');
    const before = listTree(join(world.home, '.claude'));
    await world.run(['build', 'notes'], { env });
    expect((await world.run(['build', 'notes', '--import'], { env })).status).toBe(0);
    expect(world.list(join(world.project, '.skillc'))).toEqual({});
    expect(world.read('~/.skillc/skills/notes/a.md')).toBe('# A\n');
    expect(readlinkSync(dir)).toBe(join(world.home, '.skillc/runtime/notes'));
    // A second build changes nothing, and nothing is ambiguous.
    expect((await world.run(['build', 'notes'], { env })).stdout).toContain('up to date');
    expect((await world.run(['show', 'notes', '--section', 'A'])).stdout).toBe('# A\n');
    const released = await world.run(['build', '--release', 'notes']);
    expect(released.stdout).toBe('notes: put back <home>/.claude/skills/notes\n');
    expect(listTree(join(world.home, '.claude'))).toEqual(before);
    expect(existsSync(join(world.home, '.skillc/skills/notes'))).toBe(false);
    const again = await world.run(['build', '--release', 'notes']);
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing to release') });
  });

  test('come back with the edits made in the store; clean brings them back too', async () => {
    const world = makeWorld({ [`${place}/SKILL.md`]: skillText('notes', long), [`${place}/a.md`]: '# A\n' });
    await world.run(['build', 'notes', '--import'], { env });
    world.write({ '~/.skillc/skills/notes/b.md': '# B\n' });
    rmSync(join(world.home, '.skillc/skills/notes/a.md'));
    const cleaned = await world.run(['clean', 'notes', '--json']);
    expect(cleaned.json()).toMatchObject({ restored: ['<home>/.claude/skills/notes'], kept: [] });
    expect(listTree(join(world.home, '.claude/skills'))).toEqual({
      notes: '/',
      'notes/SKILL.md': skillText('notes', long),
      'notes/b.md': '# B\n',
    });
  });

  test('of a project, go to the store of the project', async () => {
    const world = makeWorld({ '.claude/skills/notes/SKILL.md': skillText('notes', long) });
    await world.run(['build', 'notes', '--import'], { env });
    expect(world.read('.skillc/skills/notes/SKILL.md')).toBe(skillText('notes', long));
    expect(existsSync(join(world.home, '.claude'))).toBe(false);
    expect(readlinkSync(join(world.project, '.claude/skills/notes'))).toBe('../../.skillc/runtime/notes');
  });

  test('a refused import changes nothing, and an interrupted one resumes', async () => {
    const world = makeWorld({
      [`${place}/SKILL.md`]: skillText('notes', long),
      '~/.cursor/skills/notes/SKILL.md': 'by hand',
      '~/.skillc/runtime/notes/SKILL.md': 'by hand',
    });
    const dir = join(world.home, '.claude/skills/notes');
    const before = world.list();
    const words = ['build', dir, '--import', '--target', 'claude,cursor'];
    expect(codeOf((await world.run(words, { env })).stderr)).toBe('E013');
    expect(world.list()).toEqual(before);
    // Refused late, when the store has its copy already.
    expect(codeOf((await world.run(['build', dir, '--import'], { env })).stderr)).toBe('E013');
    const empty = { 'home/.skillc/made': '/', 'home/.skillc/skills': '/' };
    expect(world.list()).toEqual({ ...before, ...empty });
    rmSync(join(world.home, '.skillc/runtime'), { recursive: true });
    // The store has it already, left by a process that was killed.
    world.write({ '~/.skillc/skills/notes/SKILL.md': skillText('notes', long) });
    expect((await world.run(['build', dir, '--import'], { env })).status).toBe(0);
    expect(readlinkSync(dir)).toBe(join(world.home, '.skillc/runtime/notes'));
  });

  test('under another name than their directory are not imported', async () => {
    const world = makeWorld({ [`${place}/SKILL.md`]: skillText('memos', long) });
    const before = world.list();
    expect(await world.run(['build', join(world.home, '.claude/skills/notes'), '--import'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("help: rename the directory to 'memos' first"),
    });
    expect(world.list()).toEqual(before);
  });
});

describe('where a build deploys', () => {
  const deployed = async (world: World, ...words: string[]) =>
    (
      (await world.run(['build', ...words, '--json'])).json() as {
        built: [{ deployments: { path: string }[]; notes: string[] }];
      }
    ).built[0];

  test('another directory of a project goes to the agents of the project', async () => {
    const world = makeWorld({ 'docs/demo/SKILL.md': skillText('demo') });
    expect(await deployed(world, './docs/demo')).toMatchObject({
      deployments: [{ path: '<cwd>/.claude/skills/demo' }],
      notes: ['for this project; --scope user links it for all your projects'],
    });
    expect(await deployed(world, './docs/demo', '--scope', 'user')).toMatchObject({
      deployments: [{ path: '<home>/.claude/skills/demo' }],
      notes: [],
    });
  });

  test('a configured scope wins over the place', async () => {
    const world = makeWorld({
      'docs/demo/SKILL.md': skillText('demo'),
      '~/.skillc/config.toml': '[build]\nscope = "user"\n',
    });
    expect((await deployed(world, './docs/demo')).deployments[0]!.path).toBe('<home>/.claude/skills/demo');
  });

  test('writes .gitignore with the first file of a runtime directory', async () => {
    const world = makeWorld({ 'docs/demo/SKILL.md': skillText('demo'), '.git/HEAD': '' });
    await deployed(world, './docs/demo');
    expect(world.read('.skillc/.gitignore')).toContain('/runtime/');
  });

  test("E019 instead of hiding the project's own skill", async () => {
    const world = makeDemo({ '.claude/skills/demo/SKILL.md': skillText('demo', '# Own\n') });
    const refused = await world.run(['build', 'demo']);
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "error[E019]: cannot deploy to '<home>/.claude/skills/demo': it would hide the project's own skill in <cwd>/.claude/skills/demo",
      ),
    });
    expect(existsSync(join(world.home, '.claude'))).toBe(false);
    expect((await world.run(['build', 'demo', '--target', 'cursor'])).status).toBe(0);
    expect((await world.run(['build', 'demo', '--force'])).status).toBe(0);
  });

  test('clean puts back what --force replaced, and the link of another project', async () => {
    const world = makeDemo({
      '~/.claude/skills/demo/SKILL.md': skillText('demo', '# Before\n'),
      '../other/.skillc/skills/demo/SKILL.md': skillText('demo', '# Other\n'),
    });
    const other = join(world.root, 'other');
    await world.run(['build', 'demo', '--force']);
    await world.run(['build', 'demo'], { cwd: other });
    const place = join(world.home, '.claude/skills/demo');
    expect(readlinkSync(place)).toBe(join(other, '.skillc/runtime/demo'));
    await world.run(['clean', 'demo'], { cwd: other });
    expect(readlinkSync(place)).toBe(join(world.project, runtime));
    await world.run(['clean', 'demo']);
    expect(readFileSync(join(place, 'SKILL.md'), 'utf8')).toBe(skillText('demo', '# Before\n'));
  });
});

test('a backup is not listed as a skill', async () => {
  const world = makeDemo({ '.claude/skills/demo/SKILL.md': skillText('demo', '# Old\n') });
  await world.run(['build', 'demo', '--scope', 'project', '--force']);
  const backups = '.skillc/backups/demo.bak-20260102T030405Z';
  expect(world.read(`${backups}/SKILL.md`)).toBe(skillText('demo', '# Old\n'));
  const { stdout } = await world.run(['lint', '.']);
  expect(stdout).not.toContain('backups');
  const found = (await world.run(['find', '--json'])).stdout;
  expect(found).not.toContain('backups');
  expect((await world.run(['outline', 'demo'])).stdout).toBe('SKILL.md\n  # demo\n');
});
