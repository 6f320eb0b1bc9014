import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld } from '../../../test/make-world.ts';
import { skc } from '../../../test/run-in-process.ts';

const skill = (name: string, description: string, more = '') =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\n\n# ${name}\n`;

const files = {
  '.agents/skills/release-notes/SKILL.md': skill(
    'release-notes',
    'Drafts notes from commits, grouped by kind, with links.',
  ),
  '.agents/skills/日本語/SKILL.md': skill('日本語', '文書を要約します。'),
  '.agents/skills/broken/SKILL.md': 'nothing\n',
  '~/.claude/skills/git/SKILL.md': skill('git', 'Works \u202ewith\ngit.'),
  '~/.claude/skills/release-notes/SKILL.md': skill('release-notes', 'The other one.'),
} as const;

const run = (words: readonly string[]) => skc(['skills', ...words], { files });

describe('without a terminal', () => {
  test('a table', async () => {
    const { status, stdout, stderr } = await run([]);
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^warning\[W011\]: name '日本語' breaks[^\n]*\n$/),
    ]);
    expect(stdout).toMatchInlineSnapshot(`
      "NAME           SCOPE    STATE  DESCRIPTION               WHERE
      release-notes  project  on     Drafts notes from commi…  .agents/skills/release-notes
      日本語         project  on     文書を要約します。        .agents/skills/日本語
      git            user     on     Works \\u202ewith git.     ~/.claude/skills/git
      release-notes  user     on     The other one.            ~/.claude/skills/release-notes
      1 skill could not be read; 'skc list --paths' says why
      "
    `);
  });

  test('as JSON', async () => {
    expect((await run(['--json', '--scope', 'user'])).json()).toEqual({
      skills: [
        {
          name: 'git',
          description: 'Works \u202ewith\ngit.',
          scope: 'user',
          path: '<home>/.claude/skills/git/SKILL.md',
          enabled: true,
          available: true,
          shown: '~/.claude/skills/git',
        },
        {
          name: 'release-notes',
          description: 'The other one.',
          scope: 'user',
          path: '<home>/.claude/skills/release-notes/SKILL.md',
          enabled: true,
          available: true,
          shadowed_by: '<cwd>/.agents/skills/release-notes/SKILL.md',
          shown: '~/.claude/skills/release-notes',
        },
      ],
      total: 4,
      errors: 1,
      truncated: false,
      switched: null,
    });
  });

  test.each([
    [['rele'], ['release-notes', 'release-notes']],
    [
      ['notes', 'rel'],
      ['release-notes', 'release-notes'],
    ],
    [['commits'], ['release-notes']],
    [['commi'], ['release-notes']],
    [['文書'], ['日本語']],
    [['GIT'], ['git']],
    [['xylophone'], []],
    [[' '], ['release-notes', '日本語', 'git', 'release-notes']],
  ])('%j finds', async (words, names) => {
    const { skills } = (await run([...words, '--json'])).json() as { skills: { name: string }[] };
    expect(skills.map(({ name }) => name)).toEqual(names);
  });

  test('no match, and no skills', async () => {
    expect((await run(['xylophone'])).stdout).toBe(
      "no skill matches; there are 4\n1 skill could not be read; 'skc list --paths' says why\n",
    );
    expect((await skc(['skills'])).stdout).toBe(
      "no skills found; 'skc list --paths' shows where skc looked\n",
    );
  });

  test('a skill whose requirements are missing', async () => {
    const needy = skill('needy', 'Needs much.', 'metadata:\n  requires: no-such-program\n');
    const world = { files: { '.agents/skills/needy/SKILL.md': needy } };
    expect((await skc(['skills'], world)).stdout).toMatch(
      /^needy {2}project {2}unavailable {2}Needs much\. /m,
    );
    expect((await skc(['skills', '--json'], world)).json()).toMatchObject({
      skills: [{ available: false, unavailable_because: expect.stringContaining('no-such-program') }],
    });
  });
});

describe('switching', () => {
  const stateOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

  test('off and on again, in the project', async () => {
    const world = makeWorld(files);
    const path = join(world.project, '.skillc/state.json');
    const off = await world.run(['skills', '--disable', 'git', '$Release-Notes']);
    expect([off.status, off.stderr, off.stdout]).toEqual([
      0,
      '',
      [
        'git, release-notes: off in the project (<cwd>/.skillc/state.json)',
        'agents still sees release-notes in <cwd>/.agents/skills/release-notes',
        '  skc build <cwd>/.agents/skills/release-notes --import',
        'claude still sees git in <home>/.claude/skills/git',
        '  skc build <home>/.claude/skills/git --import',
        'claude still sees release-notes in <home>/.claude/skills/release-notes',
        '  skc build <home>/.claude/skills/release-notes --import',
        '',
      ].join('\n'),
    ]);
    expect(stateOf(path)).toEqual({ version: 1, disabled: ['git', 'release-notes'] });
    expect((await world.run(['skills', '--disable', 'git'])).stdout).toMatch(
      /^nothing changed: already off in the project\n/,
    );
    expect((await world.run(['skills', 'git'])).stdout).toMatch(/^git +user +off /m);
    expect((await world.run(['skills', 'git', '--enable', '--json'])).json()).toEqual({
      skills: [expect.objectContaining({ name: 'git', enabled: true })],
      total: 4,
      errors: 1,
      truncated: false,
      switched: {
        enabled: true,
        dry_run: false,
        scope: 'project',
        path: '<cwd>/.skillc/state.json',
        changed: ['git'],
        still_disabled: [],
      },
    });
    expect(stateOf(path)).toEqual({ version: 1, disabled: ['release-notes'] });
  });

  test('a skill the user switched off stays off in a project', async () => {
    const world = makeWorld(files);
    expect((await world.run(['skills', '--disable', 'git', '--scope', 'user'])).stdout).toBe(
      'git: off for you (<home>/.skillc/state.json)\nclaude still sees git in <home>/.claude/skills/git\n  skc build <home>/.claude/skills/git --import\n',
    );
    const on = await world.run(['skills', '--enable', 'git']);
    expect(on.stdout).toMatch(
      /^nothing changed: already on in the project\nstill off: git; the user has it switched off, see --scope user\n/,
    );
    await world.run(['skills', '--enable', 'git', '--scope', 'user']);
    expect((await world.run(['skills', 'git'])).stdout).toMatch(/^git +user +on /m);
  });

  test('a deleted skill can be switched on', async () => {
    const world = makeWorld({ '.skillc/state.json': '{"disabled": ["gone"], "other": 1}' });
    await world.run(['skills', '--enable', 'gone']);
    expect(stateOf(join(world.project, '.skillc/state.json'))).toEqual({
      version: 1,
      disabled: [],
      other: 1,
    });
  });

  test.each([
    [['--enable', '--disable', 'git'], 'E100', '--enable and --disable exclude each other'],
    [['--disable'], 'E100', '--disable needs the names of skills'],
    [
      ['--disable', 'git', '--scope', 'bundled'],
      'E100',
      'bundled skills are switched in the scope project or user',
    ],
    [['--disable', 'git', 'gitt'], 'E001', "skill 'gitt' not found"],
    [['--enable', 'nothing-like-it'], 'E001', "skill 'nothing-like-it' not found"],
  ])('%j is refused, and nothing is written', async (words, code, message) => {
    const world = makeWorld(files);
    const result = await world.run(['skills', ...words, '--json']);
    expect([result.status, result.json()]).toEqual([
      1,
      { error: expect.objectContaining({ code, message }) },
    ]);
    expect(existsSync(join(world.project, '.skillc/state.json'))).toBe(false);
    expect(existsSync(join(world.home, '.skillc/state.json'))).toBe(false);
  });
});
