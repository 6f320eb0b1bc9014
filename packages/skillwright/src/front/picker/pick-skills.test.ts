// skc skills as a user at a terminal uses it, without a terminal.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';

const DOWN = '\u001b[B';
const LEAVE = '\u0003';

const files = {
  '.agents/skills/notes/SKILL.md': skillText('notes', '# Notes\n', 'The first.'),
  '.agents/skills/pdf-forms/SKILL.md': skillText('pdf-forms'),
  '.agents/skills/two words/SKILL.md': skillText('two words'),
  '.claude/skills/notes/SKILL.md': skillText('notes', '# Notes\n', 'The second.'),
  '~/.claude/skills/notes/SKILL.md': skillText('notes', '# Notes\n', "The user's."),
  '~/.claude/skills/git/SKILL.md': skillText('git'),
} as const;

function open() {
  const world = makeWorld(files);
  const stateAt = (place: string) => {
    const file = join(place, '.skillc/state.json');
    return existsSync(file)
      ? (JSON.parse(world.read(file.replace(world.home, '~').replace(`${world.project}/`, '')))
          .disabled as string[])
      : [];
  };
  return {
    ...world,
    pick: (keys: string, words: readonly string[] = []) => world.run(['skills', ...words], { keys }),
    off: () => ({ project: stateAt(world.project), user: stateAt(world.home) }),
    enabled: async () => {
      const { skills } = (await world.run(['skills', '--json'])).json() as {
        skills: { path: string; enabled: boolean }[];
      };
      return skills.filter(({ enabled }) => !enabled).map(({ path }) => path);
    },
  };
}

describe('the result', () => {
  test.each([
    ['a unique name', 'git\r', '$git\n'],
    ['a part of a name', 'df-fo\r', '$pdf-forms\n'],
    ['a path on demand', 'git\u000f', '<home>/.claude/skills/git/SKILL.md\n'],
    ['a path if several skills share the name', 'notes\r', '<cwd>/.agents/skills/notes/SKILL.md\n'],
    ['the one under the cursor', `notes${DOWN}\r`, '<cwd>/.claude/skills/notes/SKILL.md\n'],
    ['the one in another scope', 'notes\t\t\r', '<home>/.claude/skills/notes/SKILL.md\n'],
    ['a path if the name cannot be mentioned', 'two\r', '<cwd>/.agents/skills/two words/SKILL.md\n'],
  ])('is %s', async (_, keys, stdout) => {
    expect(await open().pick(keys)).toMatchObject({ status: 0, stdout, stderr: '' });
  });

  test('starts with the query given', async () => {
    expect(await open().pick('\r', ['gi'])).toMatchObject({ status: 0, stdout: '$git\n' });
  });

  test('leaving prints nothing and is not a success', async () => {
    expect(await open().pick(LEAVE)).toMatchObject({ status: 130, stdout: '', stderr: '' });
  });

  test('Enter with no match is an error', async () => {
    const { status, stdout, stderr } = await open().pick('xyz\r');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain("no skill matches 'xyz'");
  });

  test.each([[['--format', 'text']], [['--format=text']], [['--json']]])(
    '%j prints instead',
    async (words) => {
      const { status, stdout } = await open().pick('\r', words);
      expect([status, stdout]).toEqual([0, expect.stringContaining('pdf-forms')]);
    },
  );
});

describe('switching', () => {
  test.each([
    ['in the project if all scopes are shown', `git\u0014${LEAVE}`, { project: ['git'], user: [] }],
    ['for the user if that scope is shown', `git\t\t\u0014${LEAVE}`, { project: [], user: ['git'] }],
    [
      'one of several with the name',
      `notes${DOWN}\u0014${LEAVE}`,
      { project: ['./.claude/skills/notes'], user: [] },
    ],
    [
      "the user's own of several",
      `notes\t\t\u0014${LEAVE}`,
      { project: [], user: ['./.claude/skills/notes'] },
    ],
    ['and back', `git\u0014\u0014${LEAVE}`, { project: [], user: [] }],
  ])('%s', async (_, keys, off) => {
    const world = open();
    await world.pick(keys);
    expect(world.off()).toEqual(off);
  });

  test('turning one on again leaves the others off', async () => {
    const world = open();
    await world.run(['skills', '--disable', 'notes']);
    await world.pick(`notes${DOWN}\u0014${LEAVE}`);
    expect(await world.enabled()).toEqual([
      `<cwd>/.agents/skills/notes/SKILL.md`,
      `<home>/.claude/skills/notes/SKILL.md`,
    ]);
    const again = await world.run(['skills', '--enable', 'notes']);
    expect([again.status, await world.enabled(), world.off()]).toEqual([0, [], { project: [], user: [] }]);
  });

  test('turning on with all scopes shown clears every scope', async () => {
    const world = open();
    await world.run(['skills', '--disable', 'git']);
    await world.run(['skills', '--disable', 'git', '--scope', 'user']);
    await world.pick(`git\u0014${LEAVE}`);
    expect(world.off()).toEqual({ project: [], user: [] });
  });

  test('turning on in one scope reports that the other keeps it off', async () => {
    const world = open();
    await world.run(['skills', '--disable', 'pdf-forms']);
    await world.run(['skills', '--disable', 'pdf-forms', '--scope', 'user']);
    const drawn: string[] = [];
    await world.run(['skills', '--scope', 'project', 'pdf'], { keys: ['\u0014', LEAVE], drawn });
    expect(drawn.join('')).toContain(
      'pdf-forms is still off for all your projects; press Tab to select that scope',
    );
  });
});

test('a path cannot control the terminal, and is piped unchanged', async () => {
  const evil = '.agents/skills/evil\u001b[2J\u202e/demo';
  const world = makeWorld({ [`${evil}/SKILL.md`]: skillText('demo', '# X\n', 'Hidden \u001b[8m text.') });
  const drawn: string[] = [];
  const { stdout } = await world.run(['skills'], { keys: ['\u001b[1;2B', '\u000f'], drawn });
  expect(stdout).toBe(`<cwd>/${evil}/SKILL.md\n`);
  expect(drawn.join('')).toContain('evil\\u001b[2J\\u202e');
  expect(drawn.join('')).not.toMatch(/evil\u001b|Hidden \u001b\[8m|\u202e/);
  const shown = await world.run(['skills'], { keys: '\u000f', terminal: true });
  expect(shown.stdout).toBe('<cwd>/.agents/skills/evil\\u001b[2J\\u202e/demo/SKILL.md\n');
});
