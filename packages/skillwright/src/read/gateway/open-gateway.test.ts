import { renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import type { OutlineHeading } from './outline.ts';

const source = '.skillc/skills/demo';

const files = {
  [`${source}/SKILL.md`]: skillText(
    'demo',
    '# Demo\n\n## Alpha\n\nfirst words\n\n## Target\n\nneedle here\n',
  ),
  [`${source}/references/other.md`]: '# Other\n\nhaystack\n',
};

async function makeBuilt(): Promise<World> {
  const world = makeWorld(files);
  expect((await world.run(['build', 'demo', '--target', 'none'])).status).toBe(0);
  return world;
}

const skillFile = (world: World, path = 'SKILL.md') => join(world.project, source, path);

/** Ways to change a skill, and what is then under "Target" and found for "needle"; null when it is gone. */
const edits: { what: string; edit: (world: World) => void; target: string | null; stale?: string[] }[] = [
  {
    what: 'lines are added above',
    edit: (world) =>
      world.write({
        [`${source}/SKILL.md`]: files[`${source}/SKILL.md`]!.replace('first', 'a\n\nb\n\nfirst'),
      }),
    target: '## Target\n\nneedle here\n',
  },
  {
    what: 'a heading is changed',
    edit: (world) =>
      world.write({
        [`${source}/SKILL.md`]: files[`${source}/SKILL.md`]!.replace('## Target', '## Changed'),
      }),
    target: null,
  },
  {
    what: 'the file is shortened',
    edit: (world) => writeFileSync(skillFile(world), skillText('demo', '# Demo\n\n## Target\n\nneedle\n')),
    target: '## Target\n\nneedle\n',
  },
  {
    what: 'the file is emptied but for its head',
    edit: (world) => writeFileSync(skillFile(world), skillText('demo', '')),
    target: null,
  },
  {
    what: 'the same size in the same second, with the old time put back',
    edit(world) {
      const { atime, mtime } = statSync(skillFile(world));
      const text = world.read(`${source}/SKILL.md`);
      writeFileSync(skillFile(world), text.replace('needle here', 'needle HERE'));
      utimesSync(skillFile(world), atime, mtime);
    },
    target: '## Target\n\nneedle HERE\n',
  },
  {
    what: 'replaced by a renamed file of the same size and time',
    edit(world) {
      const { atime, mtime } = statSync(skillFile(world));
      const text = world.read(`${source}/SKILL.md`);
      writeFileSync(skillFile(world, 'x.tmp'), text.replace('needle here', 'needle THEN'));
      utimesSync(skillFile(world, 'x.tmp'), atime, mtime);
      renameSync(skillFile(world, 'x.tmp'), skillFile(world));
    },
    target: '## Target\n\nneedle THEN\n',
  },
  {
    what: 'a file with a heading of that name is added',
    edit: (world) => world.write({ [`${source}/A.md`]: '# Target\n\nneedle added\n' }),
    target: '## Target\n\nneedle here\n',
    stale: ['added: A.md'],
  },
  {
    what: 'a linked file is added',
    edit(world) {
      world.write({ [`${source}/assets/x.txt`]: 'linked\n' });
      symlinkSync('assets/x.txt', skillFile(world, 'B.md'));
    },
    target: '## Target\n\nneedle here\n',
    stale: ['added: B.md, assets/x.txt'],
  },
  {
    what: 'a file is deleted',
    edit: (world) => rmSync(skillFile(world, 'references/other.md')),
    target: '## Target\n\nneedle here\n',
    stale: ['removed: references/other.md'],
  },
  {
    what: 'files swap places',
    edit(world) {
      writeFileSync(skillFile(world, 'references/third.md'), '# Target\n\nneedle third\n');
      writeFileSync(skillFile(world), skillText('demo', '# Demo\n'));
    },
    target: '# Target\n\nneedle third\n',
    stale: ['changed: SKILL.md', 'added: references/third.md'],
  },
];

const show = 'skc show demo --section Target';

const changed = (...stale: string[]) => ['the skill was changed since it was built', ...stale];

/** E002 for these reasons, with the command that gets over it. */
const unusable = (reasons: readonly string[], command = show) => ({
  status: 1,
  stdout: '',
  stderr: [
    "error[E002]: search index unusable; run 'skc build demo' to rebuild",
    ...reasons.map((reason) => `  ${reason}`),
    `help: to rebuild and go on: ${command} --fresh\n`,
  ].join('\n'),
});

/** What show, search and the outline say. */
async function ask(world: World, ...flags: string[]) {
  const show = await world.run(['show', 'demo', '--section', 'Target', '--json', ...flags]);
  const search = await world.run(['search', 'demo', 'needle', '--json', ...flags]);
  const shown =
    show.status === 0 ? (show.json() as { sections: [{ content: string }] }).sections[0].content : null;
  const found =
    (search.json() as { results?: { file: string; start_line: number; end_line: number }[] }).results ?? [];
  return { show, search, shown, found };
}

function linesOf(world: World, file: string, from: number, to: number): string {
  return world
    .read(`${source}/${file}`)
    .split(/(?<=\n)/)
    .slice(from - 1, to)
    .join('');
}

describe.each(edits)('after an edit: $what', ({ edit, target, stale = ['changed: SKILL.md'] }) => {
  test('show and search answer E002 without a build', async () => {
    const world = await makeBuilt();
    edit(world);
    expect(await world.run(['show', 'demo', '--section', 'Target'])).toMatchObject(
      unusable(changed(...stale)),
    );
    expect(await world.run(['search', 'demo', 'needle'])).toMatchObject(
      unusable(changed(...stale), 'skc search demo needle'),
    );
  });

  test.each([
    { how: '--fresh', flags: ['--fresh'], config: '' },
    { how: 'auto_build', flags: [], config: '[gateway]\nauto_build = true\n' },
  ])('with $how they answer from the new text', async ({ flags, config }) => {
    const world = await makeBuilt();
    world.write({ '.skillc/config.toml': config });
    edit(world);
    const { show, search, shown, found } = await ask(world, ...flags);
    expect({ shown, search: search.status }).toEqual({ shown: target, search: 0 });
    if (target === null) expect(show.stdout).toContain('"E020"');
    for (const { file, start_line, end_line } of found)
      expect(linesOf(world, file, start_line, end_line)).toContain('needle');
    expect(found.length > 0).toBe(linesOfAll(world).includes('needle'));
    // Built on the way, so plain calls work again.
    const again = await world.run(['search', 'demo', 'needle', '--json']);
    expect({ status: again.status, json: again.json() }).toEqual({ status: 0, json: search.json() });
  });

  test('outline --json gives the lines as they are now', async () => {
    const world = await makeBuilt();
    edit(world);
    const { headings } = (await world.run(['outline', 'demo', '--json'])).json() as {
      headings: OutlineHeading[];
    };
    for (const { file, text, level, start_line } of headings)
      expect(linesOf(world, file, start_line, start_line)).toBe(`${'#'.repeat(level)} ${text}\n`);
    expect(headings.some(({ text }) => text === 'Target')).toBe(target !== null);
  });
});

function linesOfAll(world: World): string {
  return Object.values(world.list(join(world.project, source))).join('\n');
}

test('a touched file, a hidden one and a changed binary do not make the index stale', async () => {
  const world = makeWorld({ ...files, [`${source}/logo.png`]: 'a\0b' });
  await world.run(['build', 'demo', '--target', 'none']);
  utimesSync(skillFile(world), 1, 1);
  world.write({ [`${source}/.git/HEAD`]: 'x', [`${source}/logo.png`]: 'c\0d', [`${source}/new.png`]: '\0' });
  expect(await ask(world)).toMatchObject({
    shown: '## Target\n\nneedle here\n',
    found: [{ file: 'SKILL.md' }],
  });
});

test('--fresh builds a skill that was never built, where a build would put it, and deploys nothing', async () => {
  const world = makeWorld(files);
  expect((await ask(world, '--fresh')).shown).toBe('## Target\n\nneedle here\n');
  expect(world.read('.skillc/runtime/demo/SKILL.md')).toContain('## Top Sections');
  const made = Object.keys(world.list(world.home)).filter((path) => !path.startsWith('.skillc/made'));
  expect(made).toEqual(['.skillc']);
});

test('--fresh on a skill that cannot be built tells why', async () => {
  const world = await makeBuilt();
  world.write({ [`${source}/SKILL.md`]: '---\nname: demo\n---\n' });
  expect(await world.run(['show', 'demo', '--section', 'Target'])).toMatchObject(
    unusable(changed('changed: SKILL.md')),
  );
  const { status, stderr } = await world.run(['show', 'demo', '--section', 'Target', '--fresh']);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^error\[E011\]/) });
});

test('a skill compiled for the user stays there when it is refreshed, and keeps its source', async () => {
  const world = makeWorld(files);
  await world.run(['build', 'demo', '--global', '--target', 'none']);
  world.write({ [`${source}/SKILL.md`]: skillText('demo', '# Target\n\nneedle new\n') });
  expect((await ask(world, '--fresh')).shown).toBe('# Target\n\nneedle new\n');
  const { skills } = (await world.run(['list', '--json'])).json() as { skills: object[] };
  expect(skills).toMatchObject([
    {
      name: 'demo',
      scope: 'user',
      status: 'normal',
      source_path: '<cwd>/.skillc/skills/demo',
      runtime_path: '<home>/.skillc/runtime/demo',
      form: 'stub',
      why: 'as requested',
    },
  ]);
});

test('a skill that changes its name, but not its directory, is still readable after a build', async () => {
  const world = await makeBuilt();
  world.write({ [`${source}/SKILL.md`]: skillText('renamed', '# Target\n\nneedle new\n') });
  expect(await world.run(['show', 'demo', '--section', 'Target'])).toMatchObject(
    unusable(['there is no index yet']),
  );
  expect((await world.run(['build', 'demo', '--target', 'none'])).status).toBe(0);
  expect((await ask(world)).shown).toBe('# Target\n\nneedle new\n');
  world.write({ [`${source}/SKILL.md`]: skillText('again', '# Target\n\nneedle newer\n') });
  expect((await ask(world, '--fresh')).shown).toBe('# Target\n\nneedle newer\n');
});

test('another tokenizer in the configuration makes the index stale', async () => {
  const world = await makeBuilt();
  world.write({ '.skillc/config.toml': '[search]\ntokenizer = "unicode"\n' });
  const first = await world.run(['show', 'demo', '--section', 'Target']);
  world.write({ '.skillc/config.toml': '[search]\ntokenizer = "porter"\n' });
  const second = await world.run(['show', 'demo', '--section', 'Target']);
  expect([first.status, second.status].sort()).toEqual([0, 1]);
});

describe('words of any script', () => {
  test.each([
    ['检索', '本文介绍如何使用全文检索功能来查找文档。'],
    ['形態素', '日本語の文章では形態素解析が必要です。'],
    ['ドキュメント', 'このドキュメントを検索してください。'],
    ['검색', '이 문서는 전체 텍스트 검색을 설명합니다.'],
    ['ÜBERSICHT', 'Eine kurze Übersicht über alles.'],
    ['naive', 'A naïve approach.'],
    ['ΟΔΌΣ', 'η οδός είναι μακριά'],
  ])('%s is found inside a sentence', async (word, sentence) => {
    const world = makeWorld({
      [`${source}/SKILL.md`]: skillText('demo', `# Demo\n\nNothing.\n\n## Found\n\n${sentence}\n`),
    });
    await world.run(['build', 'demo', '--target', 'none']);
    const { results } = (await world.run(['search', 'demo', word, '--json'])).json() as {
      results: { section: string }[];
    };
    expect(results.map(({ section }) => section)).toEqual(['Found']);
  });
});
