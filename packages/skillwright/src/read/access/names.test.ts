import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';

const body = '# Part\n\nText.\n';

describe('looks up a name that is in neither store in the catalog', () => {
  test.each([
    ['deep in a skill root', { '.agents/skills/group/team/deep/SKILL.md': skillText('deep', body) }, 'deep'],
    ['of another directory name', { '.claude/skills/folder/SKILL.md': skillText('inner', body) }, 'inner'],
    ['of the user', { '~/.agent/skills/a/own/SKILL.md': skillText('own', body) }, 'own'],
    [
      'in a configured root',
      {
        'lib/extra/SKILL.md': skillText('extra', body),
        '.skillc/config.toml': '[catalog]\nroots = ["lib"]\n',
      },
      'extra',
    ],
    [
      'through a link',
      {
        'elsewhere/linked/SKILL.md': skillText('linked', body),
        '.agents/skills/x': { link: '../../elsewhere/linked' },
      },
      'linked',
    ],
    [
      'by its directory, when it cannot be read',
      { '.agents/skills/odd/SKILL.md': '---\nname: [\n---\n# Part\n\nText.\n' },
      'odd',
    ],
  ])('%s', async (_where, files, name) => {
    const { run } = makeWorld(files);
    const { status, stdout } = await run(['open', name, 'SKILL.md']);
    expect([status, stdout.endsWith(body)]).toEqual([0, true]);
  });

  test('below the root that the environment names', async () => {
    const world = makeWorld({
      'top/.agents/skills/far/SKILL.md': skillText('far', body),
      'top/mid/.git/.keep': '',
      'top/mid/here/.keep': '',
    });
    const cwd = join(world.project, 'top/mid/here');
    const outline = (env: Record<string, string>) => world.run(['outline', 'far'], { cwd, env });
    expect((await outline({})).stdout).toBe('SKILL.md\n  # Part\n');
    const { stderr } = await outline({ SKC_AGENTS_ROOT: join(world.project, 'top/mid') });
    expect(stderr).toContain("error[E001]: skill 'far' not found");
  });

  test('several skills of the name: E005 with their paths', async () => {
    const world = makeWorld({
      '.agents/skills/one/SKILL.md': skillText('twice', body),
      '~/.agents/skills/deep/twice/SKILL.md': skillText('twice', body),
    });
    expect((await world.run(['show', 'twice', '--section', 'Part'])).stderr).toBe(
      "error[E005]: ambiguous skill 'twice'\n  <cwd>/.agents/skills/one\n  <home>/.agents/skills/deep/twice\nhelp: use the path of the one you mean\n",
    );
  });

  test('a stub stands for its source in every root', async () => {
    const world = makeWorld({ 'work/made/SKILL.md': skillText('made', body), '~/.claude/.keep': '' });
    const built = await world.run(['build', './work/made', '--target', 'claude', '--scope', 'user']);
    expect(built.status).toBe(0);
    const elsewhere = join(world.root, 'home');
    const { status, stdout } = await world.run(['open', 'made', 'SKILL.md'], { cwd: elsewhere });
    expect([status, stdout.endsWith(body)]).toEqual([0, true]);
  });

  test('suggests names of the catalog', async () => {
    const { run } = makeWorld({ '.agents/skills/group/repo-review/SKILL.md': skillText('repo-review') });
    expect((await run(['outline', 'repo-revew'])).stderr).toBe(
      "error[E001]: skill 'repo-revew' not found\nhelp: did you mean repo-review?\n",
    );
  });

  test('a store comes first, and broken configuration blocks everything', async () => {
    const world = makeWorld({
      '.skillc/skills/one/SKILL.md': skillText('one', '# Stored\n'),
      '.agents/skills/one/SKILL.md': skillText('one', '# Installed\n'),
      '.agents/skills/two/SKILL.md': skillText('two', '# Two\n'),
    });
    expect((await world.run(['outline', 'one'])).stdout).toBe('SKILL.md\n  # Stored\n');
    world.write({ '.skillc/config.toml': 'broken [' });
    // The rules are unknown, so nothing is read.
    for (const words of [
      ['outline', 'one'],
      ['outline', 'two'],
      ['search', 'two', 'x'],
    ])
      expect((await world.run(words)).stderr).toContain('error[E110]');
  });

  test('build, lint and validate find it too', async () => {
    const { run } = makeWorld({ '.agents/skills/group/deep/SKILL.md': skillText('deep', body) });
    for (const words of [
      ['validate', 'deep'],
      ['lint', 'deep'],
      ['build', 'deep', '--target', 'none'],
    ])
      expect((await run(words)).status, words[0]).toBe(0);
  });
});
