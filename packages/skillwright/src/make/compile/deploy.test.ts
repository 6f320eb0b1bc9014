import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTree, makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { deploy } from './deploy.ts';

const source = '.skillc/skills/demo';
const claude = '.claude/skills/demo';

const makeDemo = (files = {}) => makeWorld({ [`${source}/SKILL.md`]: skillText('demo'), ...files });

async function deployed(world: World, ...flags: string[]) {
  const result = await world.run(['build', 'demo', '--json', ...flags]);
  expect(result.status).toBe(0);
  return (result.json() as { built: [{ deployments: object[]; backups: string[] }] }).built[0];
}

const codeOf = (stderr: string) => /^error\[(\w+)\]/.exec(stderr)?.[1];

describe('an occupied target', () => {
  test.each([
    ['a directory', { [`~/${claude}/SKILL.md`]: 'mine', [`~/${claude}/notes/a.md`]: 'mine too' }],
    ['an empty directory', { [`~/${claude}`]: { directory: true } as const }],
    ['a file', { [`~/${claude}`]: 'mine' }],
    [
      'a directory made by another tool',
      { [`~/${claude}/.skillc-meta/manifest.json`]: '{}', [`~/${claude}/SKILL.md`]: 'x' },
    ],
    ['a directory with an invalid manifest', { [`~/${claude}/.skillc/manifest.json`]: '{"skill":"demo"}' }],
  ])('%s made by hand is E013 and untouched, and kept with --force', async (_what, files) => {
    const world = makeDemo(files);
    const before = listTree(join(world.home, '.claude'));
    for (const flags of [[], ['--copy']]) {
      const { status, stderr } = await world.run(['build', 'demo', ...flags]);
      expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E013' });
      expect(listTree(join(world.home, '.claude'))).toEqual(before);
    }
    const { deployments } = await deployed(world, '--force');
    const kept = '.skillc/backups/demo.bak-20260102T030405Z';
    expect(deployments).toEqual([
      {
        target: 'claude',
        path: `<home>/${claude}`,
        method: 'symlink',
        form: 'stub',
        changed: true,
        fallback: false,
        backup: `<home>/${kept}`,
        replaced: null,
      },
    ]);
    const after = listTree(world.home);
    for (const [path, content] of Object.entries(before).filter(([path]) => path.startsWith('skills/demo')))
      expect(after[path.replace('skills/demo', kept)]).toBe(content);
    // Next to the skill, an agent would take it for another one.
    expect(world.list(join(world.home, '.claude/skills'))).toEqual({
      demo: `-> ${join(world.project, '.skillc/runtime/demo')}`,
    });
  });

  test('each forced build keeps its own backup', async () => {
    const world = makeDemo();
    for (const text of ['one', 'two', 'three']) {
      renameIfThere(join(world.home, claude), join(world.home, `gone-${text}`));
      world.write({ [`~/${claude}/SKILL.md`]: text });
      await deployed(world, '--force');
    }
    const kept = Object.entries(listTree(join(world.home, '.skillc/backups'))).filter(([path]) =>
      path.endsWith('SKILL.md'),
    );
    expect(kept).toEqual([
      ['demo.bak-20260102T030405Z/SKILL.md', 'one'],
      ['demo.bak-20260102T030405Z-1/SKILL.md', 'two'],
      ['demo.bak-20260102T030405Z-2/SKILL.md', 'three'],
    ]);
  });

  test('a link becomes a copy, a copy becomes a link, and nothing is left behind', async () => {
    const world = makeDemo();
    for (const flags of [[], ['--copy'], ['--copy'], [], []]) {
      const { deployments } = await deployed(world, ...flags);
      expect(deployments).toMatchObject([
        { method: flags.length === 0 ? 'symlink' : 'copy', backup: null, replaced: null },
      ]);
      expect(lstatSync(join(world.home, claude)).isSymbolicLink()).toBe(flags.length === 0);
      expect(
        Object.keys(listTree(join(world.home, '.claude/skills'))).filter((path) => !path.startsWith('demo')),
      ).toEqual([]);
      expect(world.list(world.home)).not.toHaveProperty('.skillc/backups');
    }
  });

  test('a changed copy is replaced, and backed up', async () => {
    const world = makeDemo();
    await deployed(world, '--copy');
    world.write({ [`~/${claude}/notes.md`]: 'my notes' });
    expect((await deployed(world)).deployments).toMatchObject([
      { backup: '<home>/.skillc/backups/demo.bak-20260102T030405Z' },
    ]);
    expect(readFileSync(join(world.home, '.skillc/backups/demo.bak-20260102T030405Z/notes.md'), 'utf8')).toBe(
      'my notes',
    );
  });

  test('an unusable parent of the target is E016 with a reason', async () => {
    const world = makeDemo({ '~/.claude': 'a file' });
    const { status, stderr } = await world.run(['build', 'demo']);
    expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E016' });
    expect(readFileSync(join(world.home, '.claude'), 'utf8')).toBe('a file');
  });
});

function renameIfThere(from: string, to: string): void {
  if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}

describe('a stub never replaces its own source', () => {
  test('a hand-made skill in an agent directory, built from there with --force', async () => {
    const world = makeWorld({ [`~/${claude}/SKILL.md`]: skillText('demo'), [`~/${claude}/a.md`]: '# A\n' });
    const before = listTree(join(world.home, '.claude'));
    for (const cwd of [world.project, join(world.home, claude)]) {
      const flags = ['--force', '--target', 'claude', '--stub'];
      const { status, stderr } = await world.run(['build', join(world.home, claude), ...flags], { cwd });
      expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E013' });
      expect(listTree(join(world.home, '.claude'))).toEqual(before);
    }
    // After an import, the skill is copied and the old one is backed up.
    const result = await world.run(['build', join(world.home, claude), '--force', '--import', '--global']);
    expect(result.status).toBe(0);
    expect(world.read('~/.skillc/skills/demo/a.md')).toBe('# A\n');
    expect(readFileSync(join(world.home, '.skillc/backups/demo.bak-20260102T030405Z/a.md'), 'utf8')).toBe(
      '# A\n',
    );
  });

  test.each([
    '--force',
    '--force --import',
    '--force --copy',
    '--force --import --copy',
    '--force --target ../',
  ])('inside the store, skc build . %s', async (flags) => {
    const world = makeDemo({ [`${source}/a.md`]: '# A\n' });
    const before = listTree(join(world.project, '.skillc/skills'));
    await world.run(['build', '.', ...flags.split(' ')], { cwd: join(world.project, source) });
    expect(listTree(join(world.project, '.skillc/skills'))).toEqual(before);
  });

  test('a target inside the skill is refused', async () => {
    const world = makeDemo();
    const { status, stderr } = await world.run(['build', '.', '--target', './out/'], {
      cwd: join(world.project, source),
    });
    expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E100' });
  });
});

describe('targets', () => {
  test.each<[string, string[]]>([
    ['cursor', ['cursor ~/.cursor/skills/demo']],
    ['claude-code', ['claude ~/.claude/skills/demo']],
    ['codex,gemini', ['codex ~/.codex/skills/demo', 'gemini ~/.gemini/skills/demo']],
    [' claude , claude-code,,', ['claude ~/.claude/skills/demo']],
    ['agents,cline', ['agents ~/.agents/skills/demo']],
    ['opencode', ['opencode ~/.config/opencode/skills/demo']],
    ['./agents/mine', ['./agents/mine ./agents/mine/demo']],
    ['~/x/y', ['~/x/y ~/x/y/demo']],
    ['none', []],
    ['none,none', []],
  ])('--target %j', async (target, places) => {
    const world = makeDemo();
    const { deployments } = await deployed(world, '--target', target);
    const found = (deployments as { target: string; path: string }[]).map(
      (entry) => `${entry.target} ${entry.path.replace('<home>', '~').replace('<cwd>', '.')}`,
    );
    expect(found).toEqual(places);
  });

  test('every agent of the specification is known', async () => {
    const names =
      'claude cursor codex gemini copilot opencode kiro trae windsurf goose amp cline roo junie openhands qwen agents';
    const world = makeDemo();
    const result = await world.run(['build', 'demo', '--target', names.replaceAll(' ', ',')]);
    expect(result.status).toBe(0);
  });

  test.each([
    ['cluade', "error[E100]: unknown agent 'cluade'\nhelp: did you mean claude?\n"],
    ['claude,curser', "error[E100]: unknown agent 'curser'\nhelp: did you mean cursor?\n"],
  ])('an unknown agent %s is E100 with suggestions, before any build', async (target, error) => {
    const world = makeDemo();
    const before = world.list();
    expect(await world.run(['build', 'demo', '--target', target])).toMatchObject({
      status: 1,
      stderr: error,
    });
    expect(world.list()).toEqual(before);
  });

  test('an unknown agent without similar names gets the list', async () => {
    const { stderr } = await makeDemo().run(['build', 'demo', '--target', 'zzzzzzzz']);
    expect(stderr).toMatch(/^help: known agents: agents, claude, .*; a value with a \/ is a directory$/m);
  });

  test('the configuration names the targets, and a variable sets the directory of an agent', async () => {
    const world = makeDemo({ '.skillc/config.toml': '[build]\ntargets = ["cursor"]\n' });
    expect((await deployed(world)).deployments).toMatchObject([{ path: '<home>/.cursor/skills/demo' }]);
    const moved = join(world.root, 'claude-home');
    await world.run(['build', 'demo', '--target', 'claude'], { env: { CLAUDE_CONFIG_DIR: moved } });
    expect(readlinkSync(join(moved, 'skills/demo'))).toBe(join(world.project, '.skillc/runtime/demo'));
    // Built with the variable, cleaned without.
    await world.run(['clean', 'demo']);
    expect(listTree(moved)).toEqual({ skills: '/' });
  });
});

describe('--scope project', () => {
  test("makes relative links in the project's own directory, so that the project can be moved", async () => {
    const world = makeDemo();
    await deployed(world, '--scope', 'project');
    expect(readlinkSync(join(world.project, claude))).toBe('../../.skillc/runtime/demo');
    expect(Object.keys(world.list(world.home)).filter((path) => !path.startsWith('.skillc'))).toEqual([]);
    renameSync(world.project, join(world.root, 'moved'));
    expect(readFileSync(join(world.root, 'moved', claude, 'SKILL.md'), 'utf8')).toContain('name: demo');
    const cwd = join(world.root, 'moved');
    // The index records the path of its source, so it is built again, and the old one is removed.
    expect((await world.run(['show', 'demo', '--section', 'demo', '--fresh'], { cwd })).stdout).toBe(
      '# demo\n',
    );
    const names = Object.keys(listTree(join(cwd, '.skillc/runtime/demo/.skillc')));
    expect(names.filter((name) => name.startsWith('search-'))).toHaveLength(1);
  });

  test('an agent directory that is itself a link gets a link that works', async () => {
    const world = makeDemo();
    mkdirSync(join(world.project, 'dotfiles/deep/claude'), { recursive: true });
    symlinkSync(join(world.project, 'dotfiles/deep/claude'), join(world.project, '.claude'));
    await deployed(world, '--scope', 'project');
    expect(readFileSync(join(world.project, claude, 'SKILL.md'), 'utf8')).toContain('name: demo');
  });

  test('outside a project it is E100', async () => {
    const world = makeWorld({ '~/skill/SKILL.md': skillText('skill') });
    const { status, stderr } = await world.run(['build', '.', '--scope', 'project'], {
      cwd: join(world.home, 'skill'),
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "error[E100]: not inside a project\nhelp: run 'skc init' first, or use --scope user\n",
    });
  });
});

test('on Windows a junction is made, and an existing one is moved aside', async () => {
  const world = makeDemo();
  await deployed(world, '--target', 'none');
  const options = {
    runtimeDir: join(world.project, '.skillc/runtime/demo'),
    source: join(world.project, source),
    name: 'demo',
    form: 'stub' as const,
    copy: false,
    force: false,
    now: new Date(),
    platform: 'win32' as const,
    home: world.home,
    project: world.project,
  };
  const target = { id: 'claude', dir: join(world.home, '.claude/skills') };
  for (const _ of [1, 2])
    expect(deploy([target], options)).toMatchObject([
      { target: 'claude', path: join(world.home, claude), method: 'junction', fallback: false, backup: null },
    ]);
  expect(listTree(join(world.home, '.claude/skills'))).toEqual({ demo: `-> ${options.runtimeDir}` });
});

test('leftovers of a killed deployment are removed, work in progress stays', async () => {
  const world = makeDemo();
  const dir = join(world.home, '.claude/skills');
  mkdirSync(join(dir, '.demo.123-abc.tmp'), { recursive: true });
  writeFileSync(join(dir, '.demo.notes.tmp'), 'mine');
  writeFileSync(join(dir, '.other.123-abc.tmp'), "another skill's");
  const later = new Date(Date.now() + 3_600_000);
  await deployed(world, '--target', 'none');
  const options = {
    source: join(world.project, source),
    name: 'demo',
    form: 'stub' as const,
    copy: false,
    force: false,
    platform: process.platform,
  };
  const runtimeDir = join(world.project, '.skillc/runtime/demo');
  const deployAt = (now: Date) =>
    deploy([{ id: 'claude', dir }], { ...options, runtimeDir, home: world.home, project: undefined, now });
  deployAt(new Date());
  expect(Object.keys(listTree(dir))).toEqual([
    '.demo.123-abc.tmp',
    '.demo.notes.tmp',
    '.other.123-abc.tmp',
    'demo',
  ]);
  deployAt(later);
  expect(Object.keys(listTree(dir))).toEqual(['.demo.notes.tmp', '.other.123-abc.tmp', 'demo']);
});
