// `show` accepts every line of a stub or an outline: for the skills of this repository, and for a difficult one.

import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openIndex } from '../src/read/index/open-index.ts';
import { wholeReach } from '../src/skill/judge/reach.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { replaySkill } from './replay-skill.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

async function problemsOf(world: World, name: string): Promise<string[]> {
  const { status, stderr } = await world.run(['build', name, '--target', 'none']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
  const dir = join(world.project, '.skillc/skills', name);
  const place = { sourceDir: dir, indexDir: join(world.project, '.skillc/runtime', name, '.skillc') };
  const index = openIndex({ ...place, skill: name });
  try {
    const stub = world.read(`.skillc/runtime/${name}/SKILL.md`);
    return replaySkill({ skill: name, dir, index, files: index.files(), reach: wholeReach }, stub);
  } finally {
    index.close();
  }
}

const own = [
  'skills/skillwright',
  ...readdirSync(join(repository, 'examples/skills')).map((name) => `examples/skills/${name}`),
];

test.each(own)('%s', async (path) => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const world = makeWorld();
  cpSync(join(repository, path), join(world.project, '.skillc/skills', name), { recursive: true });
  expect(await problemsOf(world, name)).toEqual([]);
});

const source = '.skillc/skills/hard';

const hard = {
  [`${source}/SKILL.md`]: skillText(
    'hard',
    [
      'Before the first heading.',
      '# Hard',
      '## Use `code`, [links](a.md) and *more*',
      'text',
      '| a | b |\n|---|---|\n| 1 | 2 |\n---',
      '> ## Quoted\n> text',
      '- # Listed\n  text\n- other',
      '## One — two — three',
      'Setext\nover lines\n---',
      '## Same\n\nfirst',
      '## SAME\n\nsecond',
      '## Same (a.md)',
      '##',
      '#',
      '## 🎉',
      '## 🎉',
      '## \\# Marked',
      '## a.md',
      '    ## Not one',
      '```\n## Nor this\n```',
    ].join('\n\n'),
  ),
  [`${source}/a.md`]: 'No heading at all.\n',
  [`${source}/b.md`]: '## Only a second level\n\ntext\n',
  [`${source}/c.md`]: '---\ndescription: About — things\n---\n\n# Title of its own\n\n## Same\n',
  [`${source}/bad.md`]: Buffer.from('# Bad \xff\x01\n', 'latin1'),
  [`${source}/large.md`]: `# Large\n\n${'word '.repeat(250_000)}\n\n## At the end\n\ntext\n`,
};

describe('a skill that makes it hard', () => {
  test('every line leads where it says', async () => {
    expect(await problemsOf(makeWorld(hard), 'hard')).toEqual([]);
  });

  test('the outline is the same from the index and from the files, and names nothing that is not text', async () => {
    const world = makeWorld(hard);
    const parsed = await world.run(['outline', 'hard']);
    await world.run(['build', 'hard', '--target', 'none']);
    const indexed = await world.run(['outline', 'hard']);
    expect(indexed).toEqual({ ...parsed, json: expect.any(Function) });
    expect(indexed.stdout).toMatchInlineSnapshot(`
      "SKILL.md
        (lines 6-7: text before the first heading)
        # Hard
        ## Use code, links and more
        ## Quoted
        # Listed
        ## One — two — three
        ## Setext over lines
        ## Same
        ## SAME — #same-1
        ## Same (a.md)
        ## (untitled)
        # (untitled) — #-1
        ## 🎉
        ## 🎉 — #-3
        ## # Marked
        ## a.md
      b.md
        ## Only a second level
      c.md
        # Title of its own
        ## Same
      large.md
        # Large
        ## At the end
      ... (not listed: 1 file that cannot be read, such as bad.md)
      "
    `);
  });

  const shown: [query: string, first: string][] = [
    ['Use `code`, [links](a.md) and *more*', '## Use `code`, [links](a.md) and *more*\n'],
    ['use code, links and more', '## Use `code`, [links](a.md) and *more*\n'],
    ['quoted', '> ## Quoted\n'],
    ['# Listed', '- # Listed\n'],
    ['One — two — three — and what it is about', '## One — two — three\n'],
    ['Same — #same-1', '## SAME\n'],
    ['Same — c.md', '## Same\n'],
    ['c.md#same', '## Same\n'],
    ['Same (a.md)', '## Same (a.md)\n'],
    ['Title of its own — About — things', '# Title of its own\n'],
    ['b.md', '## Only a second level\n'],
    ['./b.md', '## Only a second level\n'],
    ['a.md — a.md', 'No heading at all.\n'],
    ['At the end', '## At the end\n'],
    ['(untitled)', '##\n'],
    ['#', '#\n'],
  ];

  test.each(shown)('show finds %j', async (query, first) => {
    const world = makeWorld(hard);
    await world.run(['build', 'hard', '--target', 'none']);
    const { status, stdout } = await world.run(['show', 'hard', `--section=${query}`]);
    expect({ status, first: stdout.split(/(?<=\n)/, 1)[0] }).toEqual({ status: 0, first });
  });
});
