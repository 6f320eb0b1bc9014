import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import type { ManagedSkill } from './list-skills.ts';

let world: World;

beforeEach(async () => {
  world = makeWorld({
    '.skillc/skills/beta/SKILL.md': skillText('beta'),
    '.skillc/skills/alpha/SKILL.md': skillText('alpha'),
    '.skillc/skills/gone/SKILL.md': skillText('gone'),
    '.skillc/skills/broken/SKILL.md': 'no frontmatter\n',
    '.skillc/skills/not-a-skill/README.md': 'x',
    '.skillc/skills/.hidden/SKILL.md': skillText('hidden'),
    'docs/lying-about/SKILL.md': skillText('lying-about'),
    '~/.skillc/skills/alpha/SKILL.md': skillText('alpha'),
    '~/.skillc/skills/zeta/SKILL.md': skillText('zeta'),
  });
  for (const word of ['alpha', 'gone', './docs/lying-about', '../home/.skillc/skills/zeta'])
    expect((await world.run(['build', word, '--target', 'none'])).status).toBe(0);
  rmSync(join(world.project, '.skillc/skills/gone'), { recursive: true });
});

type Listed = ManagedSkill &
  Record<'tokens' | 'last_used' | 'install' | 'seen_by' | 'state' | 'verdict', unknown>;
const list = async (...flags: string[]) => {
  const result = await world.run(['list', '--json', ...flags]);
  expect(result.status).toBe(0);
  const {
    skills,
    others: _,
    ...counts
  } = result.json() as { skills: Listed[]; total: number; filtered: number; others: number };
  // How skills were installed, who sees them, and what a scan said is tested with skc info and skc list.
  return {
    skills: skills.map(({ tokens, last_used, install, seen_by, state, verdict, ...skill }) => skill),
    ...counts,
  };
};

const namesOf = async (...flags: string[]) =>
  (await list(...flags)).skills.map(({ scope, name }) => `${scope}/${name}`);

test('lists every skill in this shape: first those of the project, then by name', async () => {
  expect(await list()).toEqual({
    skills: [
      {
        name: 'alpha',
        scope: 'project',
        status: 'normal',
        source_path: '<cwd>/.skillc/skills/alpha',
        runtime_path: '<cwd>/.skillc/runtime/alpha',
        form: 'stub',
        why: 'as requested',
        mode: 'inline',
        agent: null,
        is_mode: false,
      },
      {
        name: 'beta',
        scope: 'project',
        status: 'not-built',
        source_path: '<cwd>/.skillc/skills/beta',
        runtime_path: null,
        form: null,
        why: null,
        mode: 'inline',
        agent: null,
        is_mode: false,
      },
      {
        name: 'broken',
        scope: 'project',
        status: 'not-built',
        source_path: '<cwd>/.skillc/skills/broken',
        runtime_path: null,
        form: null,
        why: null,
        mode: 'inline',
        agent: null,
        is_mode: false,
      },
      {
        name: 'gone',
        scope: 'project',
        status: 'obsolete',
        source_path: '<cwd>/.skillc/skills/gone',
        runtime_path: '<cwd>/.skillc/runtime/gone',
        form: 'stub',
        why: 'as requested',
        mode: 'inline',
        agent: null,
        is_mode: false,
      },
      {
        name: 'lying-about',
        scope: 'project',
        status: 'normal',
        source_path: '<cwd>/docs/lying-about',
        runtime_path: '<cwd>/.skillc/runtime/lying-about',
        form: 'stub',
        why: 'as requested',
        mode: 'inline',
        agent: null,
        is_mode: false,
      },
      {
        name: 'alpha',
        scope: 'user',
        status: 'not-built',
        source_path: '<home>/.skillc/skills/alpha',
        runtime_path: null,
        form: null,
        why: null,
        mode: 'inline',
        agent: null,
        is_mode: false,
      },
      {
        name: 'zeta',
        scope: 'user',
        status: 'normal',
        source_path: '<home>/.skillc/skills/zeta',
        runtime_path: '<home>/.skillc/runtime/zeta',
        form: 'stub',
        why: 'as requested',
        mode: 'inline',
        agent: null,
        is_mode: false,
      },
    ],
    total: 7,
    filtered: 7,
  });
});

test('as a table', async () => {
  const { stdout } = await world.run(['list', '--scope', 'user']);
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['NAME', 'SCOPE', 'STATUS', 'FORM', 'TOKENS', 'SCAN', 'SOURCE'],
    ['alpha', 'user', 'not-built', '-', '22', 'unknown', expect.stringMatching(/^….*\/skills\/\w+$/)],
    ['zeta', 'user', 'built', 'stub', '22', 'unknown', expect.stringMatching(/^….*\/skills\/\w+$/)],
    [''],
  ]);
});

describe('filters', () => {
  test.each<[string[], string[]]>([
    [
      ['--scope', 'user'],
      ['user/alpha', 'user/zeta'],
    ],
    [
      ['--status', 'not-built'],
      ['project/beta', 'project/broken', 'user/alpha'],
    ],
    [['--status', 'obsolete'], ['project/gone']],
    [
      ['--pattern', '*eta'],
      ['project/beta', 'user/zeta'],
    ],
    [['--pattern', 'alpha', '--scope', 'project'], ['project/alpha']],
    [['--pattern', 'nothing*'], []],
    [
      ['--limit', '2'],
      ['project/alpha', 'project/beta'],
    ],
  ])('%j', async (flags, names) => {
    expect(await namesOf(...flags)).toEqual(names);
  });

  test('total counts all skills, filtered the matching ones, whatever the limit', async () => {
    const { total, filtered, skills } = await list('--pattern', '*eta', '--limit', '1');
    expect({ total, filtered, shown: skills.length }).toEqual({ total: 7, filtered: 2, shown: 1 });
    expect((await world.run(['list', '--limit', '1'])).stdout).toMatch(/\n\.\.\. \(6 more\)\n$/);
  });

  test('no match is reported, and is not a failure', async () => {
    expect(await world.run(['list', '--pattern', 'nothing*'])).toMatchObject({
      status: 0,
      stdout: 'no skill matches; there are 7\n',
    });
    expect(await makeWorld().run(['list'])).toMatchObject({
      status: 0,
      stdout: "no skills yet; 'skc init <name>' creates one\n",
    });
  });

  test.each([
    ['--scope', 'nowhere'],
    ['--status', 'good'],
    ['--limit', '0'],
  ])('%s %s is E100', async (...flags) => {
    expect((await world.run(['list', ...flags])).stderr).toMatch(/^error\[E100\]/);
  });
});

test('a changed source is obsolete if checked, by content and not by time', async () => {
  const statusOf = async (...flags: string[]) =>
    (await list('--pattern', 'alpha', '--scope', 'project', ...flags)).skills[0]?.status;
  world.write({ '.skillc/skills/alpha/SKILL.md': skillText('alpha') });
  expect([await statusOf(), await statusOf('--check-obsolete')]).toEqual(['normal', 'normal']);
  world.write({ '.skillc/skills/alpha/new.png': '\0' });
  expect([await statusOf(), await statusOf('--check-obsolete')]).toEqual(['normal', 'obsolete']);
  expect(await namesOf('--status', 'obsolete')).toEqual(['project/alpha', 'project/gone']);
  await world.run(['build', 'alpha', '--target', 'none']);
  expect(await statusOf('--check-obsolete')).toBe('normal');
});

test('an unreadable store, and odd files in it, do not stop the list', async () => {
  mkdirSync(join(world.project, '.skillc/skills/odd/SKILL.md'), { recursive: true });
  world.write({ '.skillc/runtime/odd/.skillc/manifest.json': '{', '.skillc/runtime/file': 'x' });
  chmodSync(join(world.project, '.skillc/skills/beta'), 0o000);
  expect((await list()).skills.map(({ name }) => name)).toContain('alpha');
  chmodSync(join(world.project, '.skillc/skills/beta'), 0o755);
});
