// Deployments that could destroy something.

import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
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

  test('are compiled by following the printed help', async () => {
    const world = makeWorld({ [`${place}/SKILL.md`]: skillText('notes', long), [`${place}/a.md`]: '# A\n' });
    const dir = join(world.home, '.claude/skills/notes');
    const refused = await world.run(['build', dir], { env });
    expect(codeOf(refused.stderr)).toBe('E013');
    const help = /'skc (.*)'/.exec(refused.stderr)![1]!.replace('<home>', world.home).split(' ');
    expect(help).toEqual(['build', dir, '--import']);
    expect((await world.run(help, { env })).status).toBe(0);
    expect(world.read('.skillc/skills/notes/a.md')).toBe('# A\n');
    expect(readlinkSync(dir)).toBe(join(world.project, '.skillc/runtime/notes'));
    expect(readFileSync(join(world.home, '.skillc/backups/notes.bak-20260102T030405Z/a.md'), 'utf8')).toBe(
      '# A\n',
    );
    expect((await world.run(['show', 'notes', '--section', 'A'])).stdout).toBe('# A\n');
    // A second build changes nothing, and nothing is ambiguous.
    expect((await world.run(['build', 'notes'], { env })).stdout).toContain('up to date');
  });

  test('stay in place when deployed whole', async () => {
    const world = makeWorld({ [`${place}/SKILL.md`]: skillText('notes') });
    const before = listTree(join(world.home, '.claude'));
    const { status, stdout } = await world.run(['build', join(world.home, '.claude/skills/notes')], { env });
    expect({ status, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      status: 0,
      last: '  claude: <home>/.claude/skills/notes (source; already there)',
    });
    expect(listTree(join(world.home, '.claude'))).toEqual(before);
  });

  test('a refused import copies nothing, and an interrupted one resumes', async () => {
    const world = makeWorld({
      [`${place}/SKILL.md`]: skillText('notes', long),
      '~/.cursor/skills/notes/SKILL.md': 'by hand',
    });
    const dir = join(world.home, '.claude/skills/notes');
    const before = world.list();
    const words = ['build', dir, '--import', '--target', 'claude,cursor'];
    expect(codeOf((await world.run(words, { env })).stderr)).toBe('E013');
    expect(world.list()).toEqual(before);
    // The store has it already, left by an earlier version.
    world.write({ '.skillc/skills/notes/SKILL.md': skillText('notes', long) });
    expect((await world.run(['build', dir, '--import'], { env })).status).toBe(0);
    expect(readlinkSync(dir)).toBe(join(world.project, '.skillc/runtime/notes'));
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
