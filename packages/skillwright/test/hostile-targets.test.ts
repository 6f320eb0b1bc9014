// Places that a project names for skills: its lock and its configuration come with the repository.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { confirmTargets } from '../src/make/compile/index.ts';
import { isAgentTarget } from '../src/skill/agents/index.ts';
import { makeWorld, skillText } from './make-world.ts';
import { workspaceAt } from './open-workspace.ts';

const source = {
  'SKILL.md': skillText('modules', '# Modules\n'),
  's/config': '[core]\n\tfsmonitor = "touch /tmp/owned"\n',
};
const files = Object.fromEntries(
  Object.entries(source).map(([path, text]) => [`vendor/modules/${path}`, text]),
);
const codeOf = (stderr: string) => /error\[(\w+)\]/.exec(stderr)?.[1];

/** Places that belong to a repository or to other programs. */
const refused = [
  './.git',
  './.GIT',
  './.git/modules',
  './.g\u200cit',
  './git~1',
  './.gıt',
  './.git::$INDEX_ALLOCATION',
  './.git:x',
  './store',
  './store/hooks',
  './.sl',
  './.skillc/skills',
  './.pre-commit',
  './sub/.git/hooks',
  './.jj',
  './.hg',
  './.svn',
  './.github',
  './.github/workflows',
  './.vscode',
  './.husky',
  './.devcontainer',
  './.cargo',
  './.claude',
  './.claude/hooks',
  './.opencode/plugin',
  './.cursor',
  './node_modules',
  './linked',
];
/** Directories of agents, also those of a package inside the project. */
const known = [
  './.claude/skills',
  './.github/skills',
  './packages/web/.claude/skills',
  './.agents/skills/team',
];
const unknown = ['./tools/skills', './.ai/skills', './prompts'];

/** As `git init --separate-git-dir store` leaves it: the repository's own directory has another name. */
const separate = { 'store/HEAD': 'ref: refs/heads/main\n', 'store/objects/x': '', 'store/refs/x': '' };

const makeProject = (more = {}) =>
  makeWorld({
    ...files,
    '.git/HEAD': 'ref: refs/heads/main\n',
    linked: { link: '.git' },
    ...separate,
    ...more,
  });

describe('which places a project may name', () => {
  test.each(refused)('%s is refused', (word) => {
    const { project } = makeProject();
    expect(() => isAgentTarget(project, join(project, word))).toThrow(/^cannot write /);
  });
  test.each(known)("%s is an agent's", (word) => {
    const { project } = makeProject();
    expect(isAgentTarget(project, join(project, word))).toBe(true);
  });
  test.each(unknown)("%s is nobody's", (word) => {
    const { project } = makeProject();
    expect(isAgentTarget(project, join(project, word))).toBe(false);
  });
});

/** Installs for Claude, then lets the lock name another place, as a repository could. */
async function makeLocked(agent: string) {
  const world = makeProject();
  expect(
    (await world.run(['install', './vendor/modules', '--yes', '--target', 'claude', '--copy'])).status,
  ).toBe(0);
  const lock = JSON.parse(world.read('.skillc/lock.json'));
  lock.skills.modules.targets = [{ agent, method: 'copy' }];
  world.write({ '.skillc/lock.json': JSON.stringify(lock) });
  return world;
}

describe.each(['./.git', './.github', './linked', './.vscode'])('%s', (place) => {
  test.each([
    ['restored', ['install']],
    ['restored with --force', ['install', '--force', '--yes', '--trust-lock']],
    ['updated', ['update', 'modules', '--yes']],
  ])('is not written when a lock is %s', async (_, words) => {
    const world = await makeLocked(place);
    world.write({ 'vendor/modules/new.md': 'New\n' });
    const before = world.list(join(world.project, '.git'));
    const { status, stderr } = await world.run(words);
    expect([status, stderr]).toEqual([1, expect.stringContaining('E016')]);
    expect(world.list(join(world.project, '.git'))).toEqual(before);
  });

  test('is not written when the configuration names it', async () => {
    const world = makeProject({ '.skillc/config.toml': `[build]\ntargets = ["${place}"]\n` });
    for (const words of [
      ['install', './vendor/modules', '--yes'],
      ['build', './vendor/modules'],
    ])
      expect(codeOf((await world.run(words)).stderr)).toBe('E016');
  });

  test('is not written when the user names it', async () => {
    const world = makeProject();
    for (const words of [
      ['install', './vendor/modules', '--yes', '--target', place],
      ['build', './vendor/modules', '--target', place],
    ])
      expect((await world.run(words)).stderr).toMatch(/^error\[E016\].*\nhelp: use an agent's directory/);
  });
});

describe('a directory that no agent uses', () => {
  test('is confirmed once, by a command that the error names', async () => {
    const world = await makeLocked('./tools/skills');
    const refusedOnce = await world.run(['install']);
    const place = join(world.project, 'tools/skills');
    expect(refusedOnce.stderr).toContain("error[E222]: target not confirmed: '<cwd>/tools/skills'\n");
    expect(refusedOnce.stderr).toMatch(
      /skc config build\.trusted_targets \S*<cwd>\/tools\/skills\S* --scope user/,
    );
    await world.run(['config', 'build.trusted_targets', place, '--scope', 'user']);
    const { status, stdout } = await world.run(['install']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('./tools/skills')]);
    expect(world.read('tools/skills/modules/SKILL.md')).toContain('modules');
  });

  test('is asked for once where somebody can answer', async () => {
    const world = makeProject();
    const workspace = workspaceAt({ cwd: world.project, home: world.home });
    const asked: string[] = [];
    const confirm = async (question: string) => asked.push(question) > 0;
    const dir = join(world.project, 'tools/skills');
    const how = { project: world.project, workspace, ask: { confirm } };
    await confirmTargets([dir, join(world.project, '.claude/skills')], how);
    await confirmTargets([dir], how);
    expect(asked).toEqual([`This project writes skills into ${dir}, which no agent uses. Allow it?`]);
    const { stdout } = await world.run(['config', 'build.trusted_targets']);
    expect(stdout).toContain('<cwd>/tools/skills');
  });

  test('is confirmed when the user names it', async () => {
    const world = makeProject();
    const install = ['install', './vendor/modules', '--yes'];
    expect((await world.run([...install, '--target', './tools/skills'])).status).toBe(0);
    expect((await world.run(['install', '--force'])).status).toBe(0);
  });

  test('is not confirmed when the lock names it and the user names another', async () => {
    const world = await makeLocked('./tools/skills');
    world.write({ 'vendor/modules/new.md': 'New\n' });
    const before = world.list();
    const words = ['install', './vendor/modules', '--yes', '--target', './other/skills'];
    const { status, stderr } = await world.run(words);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("E222]: target not confirmed: '<cwd>/tools/skills'"),
    ]);
    expect(world.list()).toEqual(before);
  });

  test('is not confirmed by a dry run', async () => {
    const world = makeProject();
    const words = ['install', './vendor/modules', '--yes', '--target', './tools/skills', '--dry-run'];
    const before = world.list(world.home);
    expect((await world.run(words)).status).toBe(0);
    expect(world.list(world.home)).toEqual(before);
  });

  test('a second one is added to the first in the same process', async () => {
    const world = makeProject();
    const workspace = workspaceAt({ cwd: world.project, home: world.home });
    const how = { project: world.project, workspace, ask: { confirm: async () => true } };
    for (const place of ['tools/one', 'tools/two']) await confirmTargets([join(world.project, place)], how);
    expect(world.read('~/.skillc/config.toml')).toMatch(/tools\/one.*tools\/two/);
  });

  test('a project cannot confirm it', async () => {
    const world = makeProject({
      '.skillc/config.toml': '[build]\ntargets = ["./tools/skills"]\ntrusted_targets = ["./tools/skills"]\n',
    });
    const { status, stderr } = await world.run(['build', './vendor/modules']);
    expect([status, codeOf(stderr)]).toEqual([1, expect.stringMatching(/E110|E222/)]);
  });
});

test("a link in a project does not lead a build into the user's directories", async () => {
  const world = makeProject({ '.claude': { link: '../outside' }, '../outside/x': '' });
  const { status, stderr } = await world.run([
    'build',
    './vendor/modules',
    '--scope',
    'project',
    '--target',
    'claude',
  ]);
  expect([status, codeOf(stderr)]).toEqual([1, 'E016']);
});
