import { expect, test } from 'vitest';
import { skc } from '../../../test/run-in-process.ts';

const skill = (name: string, description: string, body = '') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

const files = {
  '.git': { directory: true },
  '.agents/skills/release-notes/SKILL.md': skill('release-notes', 'Drafts notes from commits.'),
  '.agents/skills/shipping/SKILL.md': skill(
    'shipping',
    'Sends parcels.',
    '\n# Customs\n\n## Papers\n\nA release form is needed.\n',
  ),
  '.agents/skills/broken/SKILL.md': 'nothing\n',
  '~/.claude/skills/git/SKILL.md': skill('git', 'Works with git.', '\n# Making a release\n\nText.\n'),
  '~/.skillc/state.json': '{"disabled": ["git"]}',
} as const;

test('find says which skills answer, and where', async () => {
  const result = await skc(['find', 'release'], { files });
  expect([result.status, result.stderr]).toEqual([0, '']);
  expect(result.stdout).toMatchInlineSnapshot(`
    "release-notes  project  .agents/skills/release-notes/SKILL.md:2
      Drafts notes from commits.
    git  user, off  ~/.claude/skills/git/SKILL.md:6
      Works with git.
      # Making a release
    shipping  project  .agents/skills/shipping/SKILL.md:10
      Sends parcels.
      Papers: A release form is needed.
    1 could not be read; 'skc roots' says why
    "
  `);
});

test('find --json', async () => {
  const result = await skc(['find', 'release', '--scope', 'user', '--json'], { files });
  expect(result.json()).toEqual({
    query: 'release',
    results: [
      {
        name: 'git',
        description: 'Works with git.',
        scope: 'user',
        path: '<home>/.claude/skills/git/SKILL.md',
        score: expect.any(Number),
        reason: 'token_overlap',
        enabled: false,
        available: true,
        where: { field: 'heading', line: 6, text: 'Making a release' },
        shown: '~/.claude/skills/git/SKILL.md',
      },
    ],
    count: 1,
    truncated: false,
    incomplete: false,
    skills: 3,
    errors: 1,
  });
});

test('nothing found is no failure, nothing asked is', async () => {
  const found = await skc(['find', 'xylophone'], { files: { '.git': { directory: true } } });
  expect([found.status, found.stdout]).toEqual([0, 'no skill matches "xylophone" (0 skills searched)\n']);
  const asked = await skc(['find', ' ']);
  expect([asked.status, asked.stderr]).toEqual([1, expect.stringContaining('error[E004]: empty query')]);
});
