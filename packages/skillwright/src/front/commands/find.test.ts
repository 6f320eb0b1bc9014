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
  '~/.claude/skills/tagger/SKILL.md': skill('tagger', 'Tags a release.', '\n# Release tags\n'),
  '~/.claude/skills/hidden/SKILL.md': skill('hidden', 'Stays off.', '\n# Release of another kind\n'),
  '~/.skillc/state.json': '{"disabled": ["tagger", "hidden"]}',
} as const;

test('find shows the matching skills and their paths', async () => {
  const result = await skc(['find', 'release'], { files });
  expect([result.status, result.stderr]).toEqual([0, '']);
  expect(result.stdout).toMatchInlineSnapshot(`
    "release-notes  project  .agents/skills/release-notes/SKILL.md:2
      Drafts notes from commits.
    git  user  ~/.claude/skills/git/SKILL.md:6
      Works with git.
      # Making a release
    tagger  user, off  ~/.claude/skills/tagger/SKILL.md:3
      Tags a release.
    shipping  project  .agents/skills/shipping/SKILL.md:10
      Sends parcels.
      Papers: A release form is needed.
    1 skill could not be read; 'skc list --paths' says why
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
        enabled: true,
        available: true,
        where: { field: 'heading', line: 6, text: 'Making a release' },
        shown: '~/.claude/skills/git/SKILL.md',
      },
      expect.objectContaining({
        name: 'tagger',
        enabled: false,
        where: { field: 'description', line: 3, text: 'Tags a release.' },
      }),
    ],
    count: 2,
    truncated: false,
    incomplete: false,
    skills: 5,
    errors: 1,
  });
});

test('finding nothing succeeds, an empty query fails', async () => {
  const found = await skc(['find', 'xylophone'], { files: { '.git': { directory: true } } });
  expect([found.status, found.stdout]).toEqual([0, 'no skill matches "xylophone" (0 skills searched)\n']);
  const asked = await skc(['find', ' ']);
  expect([asked.status, asked.stderr]).toEqual([1, expect.stringContaining('error[E004]: empty query')]);
});

test('find corrects small mistakes when nothing matches, and says so', async () => {
  const { stdout } = await skc(['find', 'relase', 'notess'], { files });
  expect(stdout.split('\n')[0]).toBe('release-notes  project  .agents/skills/release-notes/SKILL.md:2');
  expect(stdout).toContain('no skill contains "relase notess"; searched for "release notes"\n');
  const json = (await skc(['find', 'relase', '--json'], { files })).json() as { corrected?: string };
  expect(json.corrected).toBe('release');
  const exact = (await skc(['find', 'parcels', '--json'], { files })).json();
  expect(exact).not.toHaveProperty('corrected');
});

test('find returns as many results as configured', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 6 }, (_, number) => [
      `.agents/skills/release-${number}/SKILL.md`,
      skill(`release-${number}`, 'Drafts notes.'),
    ]),
  );
  const config = { '~/.skillc/config.toml': '[search]\ndefault_limit = 2\nmax_limit = 4\n' };
  const count = async (...more: string[]) => {
    const result = await skc(['find', 'release', '--json', ...more], { files: { ...many, ...config } });
    const { results, truncated } = result.json() as { results: unknown[]; truncated: boolean };
    return [results.length, truncated];
  };
  expect([await count(), await count('--limit', '3'), await count('--limit', '40')]).toEqual([
    [2, true],
    [3, true],
    [4, true],
  ]);
});
