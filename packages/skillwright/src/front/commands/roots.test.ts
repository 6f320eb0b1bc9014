import { expect, test } from 'vitest';
import { skc } from '../../../test/run-in-process.ts';

const skill = (name: string, more = '') => `---\nname: ${name}\ndescription: D.\n${more}---\n`;

const files = {
  '.git': { directory: true },
  '.agents/skills/a/SKILL.md': skill('a'),
  '.agents/skills/.hidden/SKILL.md': skill('hidden'),
  '.agents/skills/broken/SKILL.md': 'nothing\n',
  '.agents/skills/needy/SKILL.md': skill('needy', 'metadata:\n  requires: no-such-command\n'),
  '.claude/skills': { link: '../.agents/skills' },
  '~/.agents/skills/a/SKILL.md': skill('a'),
  '~/.skillc/state.json': '{"disabled": ["needy"]}',
} as const;

test('roots shows the paths searched, the skills found and the places left out', async () => {
  const result = await skc(['roots'], { files });
  expect([result.status, result.stderr]).toEqual([0, '']);
  expect(result.stdout).toMatchInlineSnapshot(`
    "project  <cwd>  contains .git

    project
      <cwd>/.agents/skills  2 skills
        skipped <cwd>/.agents/skills/.hidden: hidden
      <cwd>/.claude/skills  duplicate: the same directory as <cwd>/.agents/skills
      missing: <cwd>/.agent/skills, <cwd>/.skillc/skills

    user
      <home>/.agents/skills  1 skill
      missing: <home>/.agent/skills, <home>/.claude/skills, <home>/.skillc/skills

    not readable
      <cwd>/.agents/skills/broken/SKILL.md
        E011: missing frontmatter field 'name' in SKILL.md

    same name
      a: <home>/.agents/skills/a/SKILL.md
        hidden by <cwd>/.agents/skills/a/SKILL.md

    not available
      needy: <cwd>/.agents/skills/needy/SKILL.md
        no PATH was given to look for: no-such-command

    switched off
      needy

    3 skills
    "
  `);
});

test('roots --json', async () => {
  const result = await skc(['roots', '--json'], { files });
  const output = result.json() as { roots: { status: string }[] };
  expect(output).toMatchObject({
    project: { path: '<cwd>', reason: 'marker', marker: '.git' },
    skills: 3,
    disabled: ['needy'],
    unavailable: [
      {
        name: 'needy',
        path: '<cwd>/.agents/skills/needy/SKILL.md',
        why: 'no PATH was given to look for: no-such-command',
      },
    ],
    shadowed: [
      { name: 'a', path: '<home>/.agents/skills/a/SKILL.md', by: '<cwd>/.agents/skills/a/SKILL.md' },
    ],
    errors: [{ path: '<cwd>/.agents/skills/broken/SKILL.md', code: 'E011' }],
    truncated: false,
  });
  expect(output.roots.map(({ status }) => status)).toEqual([
    'searched',
    'missing',
    'duplicate',
    'missing',
    'searched',
    'missing',
    'missing',
    'missing',
  ]);
});
