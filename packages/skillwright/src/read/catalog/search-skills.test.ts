import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory, writeTree } from '../../../test/make-directory.ts';
import { workspaceAt } from '../../../test/open-workspace.ts';
import { loadCatalog } from './load-catalog.ts';
import { type SkillSearchOptions, searchSkills } from './search-skills.ts';

const skill = (name: string, description: string, body = '') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

async function makeCatalog(skills: Record<string, string>) {
  const root = makeDirectory({ home: { directory: true }, 'work/.git': { directory: true } });
  for (const [path, text] of Object.entries(skills)) {
    const [base, name] = path.startsWith('~') ? ['home', path.slice(1)] : ['work', path];
    writeTree(root, { [`${base}/.agents/skills/${name}/SKILL.md`]: text });
  }
  return loadCatalog(workspaceAt({ cwd: join(root, 'work'), home: join(root, 'home') }));
}

const namesOf = (results: ReturnType<typeof searchSkills>) =>
  results.map((result) => `${result.skill.scope}:${result.skill.name} ${result.reason}`);

describe('tiers', () => {
  const skills = {
    pdf: skill('pdf', 'Reads and fills documents.'),
    'pdf-forms': skill('pdf-forms', 'Fills forms.'),
    '~pdf': skill('pdf', 'Reads documents, for the user.'),
    letters: skill('letters', 'Writes letters.', '\n# Pdf\n\nExports a letter as pdf.\n'),
  };

  test.each<[string, string, SkillSearchOptions, string[]]>([
    [
      'an exact name, then beginnings, then words',
      'PDF',
      {},
      [
        'project:pdf exact_name',
        'user:pdf exact_name',
        'project:pdf-forms prefix',
        'project:letters token_overlap',
      ],
    ],
    ['spaces for hyphens', 'pdf forms', { limit: 1 }, ['project:pdf-forms exact_name']],
    ['a scope', 'pdf', { scope: 'user' }, ['user:pdf exact_name']],
    [
      'skills the caller may find',
      'pdf',
      { accept: ({ name }) => name === 'letters' },
      ['project:letters token_overlap'],
    ],
    ['a limit', 'pdf', { limit: 2 }, ['project:pdf exact_name', 'user:pdf exact_name']],
    ['nothing', '  ', {}, []],
    ['only stop words', 'of the and', {}, []],
    ['a word no skill has', 'xylophone', {}, []],
  ])('%s', async (_what, query, options, expected) => {
    expect(namesOf(searchSkills(await makeCatalog(skills), query, options))).toEqual(expected);
  });

  test('an exact path, of the file or the directory', async () => {
    const catalog = await makeCatalog(skills);
    const [first] = catalog.skills;
    for (const query of [first!.path, first!.dir])
      expect(namesOf(searchSkills(catalog, query, { limit: 1 }))).toEqual(['project:letters exact_path']);
  });
});

test('equal scores: project before user, then by path', async () => {
  const text = skill('same', 'Sorts apples.');
  const catalog = await makeCatalog({ b: text, '~a': text, a: text });
  const results = searchSkills(catalog, 'apples');
  expect(results.map((result) => [result.skill.scope, result.skill.dir.at(-1)])).toEqual([
    ['project', 'a'],
    ['project', 'b'],
    ['user', 'a'],
  ]);
  expect(new Set(results.map(({ score }) => score)).size).toBe(1);
});

test('the limit is 8 by default, and never over 50', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, number) => [`s${number}`, skill(`s${number}`, 'Sorts apples.')]),
  );
  const catalog = await makeCatalog(many);
  const count = (limit?: number) =>
    searchSkills(catalog, 'apples', limit === undefined ? {} : { limit }).length;
  expect([count(), count(0), count(20), count(1000)]).toEqual([8, 1, 20, 50]);
  expect([count(-1), count(2.5), count(Number.NaN), count(Infinity)]).toEqual([1, 2, 8, 50]);
});

describe('words', () => {
  test.each([
    ['parts of a camelCase name', 'AI2sqlHelper', 'Does things.', '', 'helper for sql'],
    ['another form of the word', 'x', 'Converts images.', '', 'image conversion'],
    ['a tag', 'x', 'Does things.\ntags: [kubernetes]', '', 'kubernetes'],
    ['a heading', 'x', 'Does things.', '\n## Flamingo\n', 'flamingo'],
    ['the body', 'x', 'Does things.', '\nIt likes flamingos.\n', 'flamingo'],
    ['Chinese', 'x', '处理电子表格', '', '电子表格'],
    ['accents left out', 'x', 'Prépare le café.', '', 'cafe'],
  ])('%s', async (_what, name, description, body, query) => {
    const catalog = await makeCatalog({
      wanted: skill(name, description, body),
      other: skill('other', 'Waters plants.'),
    });
    expect(searchSkills(catalog, query).map((result) => result.skill.frontmatter.name)).toEqual([name]);
  });

  test('a name weighs more than a description, a description more than a body', async () => {
    const catalog = await makeCatalog({
      a: skill('alpha', 'Waters plants.', '\nAlso about flamingo once.\n'),
      b: skill('beta', 'Waters a flamingo.'),
      c: skill('gamma-flamingo', 'Waters plants.'),
    });
    expect(searchSkills(catalog, 'flamingo').map((result) => result.skill.name)).toEqual([
      'gamma-flamingo',
      'beta',
      'alpha',
    ]);
  });

  test('long bodies and stuffed descriptions do not outrank the right skill', async () => {
    const many = 'forms invoices tables images letters audio video maps charts slides';
    const chapter = `\n## Notes\n\n${'Sometimes a form is filled, printed or sent as PDF, among other things. '.repeat(40)}\n`;
    const catalog = await makeCatalog({
      about: skill('pdf-forms', 'Fills in PDF forms.', '\nOpen the form.\n'),
      long: skill('handbook', 'How the team works.', chapter.repeat(20)),
      stuffed: skill('everything', `Fills PDF forms, ${`${many} fill pdf form `.repeat(9)}`),
      repeated: skill('loud', 'pdf form fill '.repeat(60)),
    });
    for (const query of ['fill in a pdf form', 'filling PDF forms', 'form'])
      expect(searchSkills(catalog, query)[0]?.skill.name, query).toBe('pdf-forms');
  });

  test('a word counts once, also next to words with its prefix', async () => {
    const catalog = await makeCatalog({
      a: skill('alpha', 'Reads an image, its imagery and what is imagined.'),
      b: skill('beta', 'Reads an image of a zebra.'),
      c: skill('gamma', 'Waters plants.'),
    });
    expect(searchSkills(catalog, 'image zebra').map((result) => result.skill.name)).toEqual([
      'beta',
      'alpha',
    ]);
  });

  test('scores a long request by its rarest words, at any position', async () => {
    const plants = Array.from({ length: 80 }, (_, number) => `plant${number}`).join(' ');
    const catalog = await makeCatalog({
      a: skill('alpha', 'Waters plants.', `\n${plants}\n`),
      b: skill('beta', 'Waters plants.', `\n${plants}\n`),
      c: skill('gamma', 'Feeds a flamingo.'),
    });
    const unknown = Array.from({ length: 5000 }, (_, number) => `unknown${number}`).join(' ');
    const found = searchSkills(catalog, `${plants} ${unknown} feed the flamingo`);
    expect(found.map((result) => result.skill.name)).toEqual(['alpha', 'beta', 'gamma']);
  });

  test('a heading in a code fence weighs as much as any line', async () => {
    const catalog = await makeCatalog({
      a: skill('alpha', 'Waters plants.', '\n```\n# flamingo\n```\n'),
      b: skill('beta', 'Waters plants.', '\n# flamingo\n'),
    });
    expect(searchSkills(catalog, 'flamingo').map((result) => result.skill.name)).toEqual(['beta', 'alpha']);
  });
});

test('a custom scorer replaces the word scorer', async () => {
  const catalog = await makeCatalog({ a: skill('alpha', 'A.'), b: skill('beta', 'B.') });
  let made = 0;
  const createScorer = () => {
    made += 1;
    return { score: (query: string) => Float32Array.from([query.length / 100, 0.5]) };
  };
  const search = () => searchSkills(catalog, 'zzz', { createScorer });
  expect([namesOf(search()), namesOf(search()), made]).toEqual([
    ['project:beta token_overlap', 'project:alpha token_overlap'],
    ['project:beta token_overlap', 'project:alpha token_overlap'],
    1,
  ]);
});

describe('cached words', () => {
  const COUNT = 120;
  async function makeLarge() {
    const root = makeDirectory({ home: { directory: true }, 'work/.git': { directory: true } });
    const texts = Array.from({ length: COUNT }, (_, number) => [
      `work/.agents/skills/s${number}/SKILL.md`,
      skill(`s${number}`, 'Sorts.', `\nword${number}\n`),
    ]);
    writeTree(root, Object.fromEntries(texts));
    const workspace = workspaceAt({ cwd: join(root, 'work'), home: join(root, 'home') });
    const find = async (query: string) =>
      searchSkills(await loadCatalog(workspace), query).map((result) => result.skill.name);
    const fileOf = (kind: string) => {
      const directory = join(root, 'home/.skillc/cache');
      const name = readdirSync(directory).find((entry) => entry.startsWith(kind));
      return join(directory, name ?? 'none');
    };
    return { root, find, fileOf };
  }

  test('are used again, and follow the content', async () => {
    const { root, find, fileOf } = await makeLarge();
    expect(await find('word7')).toEqual(['s7']);
    const { mtimeMs } = statSync(fileOf('words-'));
    expect(await find('word8')).toEqual(['s8']);
    expect(statSync(fileOf('words-')).mtimeMs).toBe(mtimeMs);
    writeFileSync(join(root, 'work/.agents/skills/s7/SKILL.md'), skill('s7', 'Sorts.', '\nflamingo\n'));
    expect([await find('flamingo'), await find('word7'), await find('word9')]).toEqual([['s7'], [], ['s9']]);
  });

  test.each([
    ['cut off', (length: number) => Buffer.alloc(length / 2)],
    ['overwritten', (length: number) => Buffer.alloc(length, 7)],
    ['empty', () => Buffer.alloc(0)],
  ])('a file that is %s is the same as none', async (_what, damage) => {
    const { find, fileOf } = await makeLarge();
    await find('word7');
    const file = fileOf('words-');
    writeFileSync(file, damage(statSync(file).size));
    expect(await find('word7')).toEqual(['s7']);
  });

  test('a file with one changed byte, at any position, is ignored', async () => {
    const { find, fileOf } = await makeLarge();
    await find('word7');
    const file = fileOf('words-');
    const sound = readFileSync(file);
    // Positions: start, digests, words, lists and checksum.
    for (const at of [0, 9, 40, 5000, sound.length >> 1, sound.length - 33, sound.length - 1]) {
      const damaged = Buffer.from(sound);
      damaged[at]! ^= 1;
      writeFileSync(file, damaged);
      expect([at, await find('word7'), await find('word8')]).toEqual([at, ['s7'], ['s8']]);
      expect(readFileSync(file).equals(sound)).toBe(true);
    }
  });

  test('drops the words of many deleted skills', async () => {
    const { root, find, fileOf } = await makeLarge();
    const rewrite = (round: number) =>
      Array.from({ length: COUNT }, (_, number) =>
        writeFileSync(
          join(root, `work/.agents/skills/s${number}/SKILL.md`),
          skill(`s${number}`, 'Sorts.', `\nround${round}of${number}\n`),
        ),
      );
    const sizes: number[] = [];
    for (let round = 0; round < 6; round++) {
      rewrite(round);
      expect(await find(`round${round}of7`)).toEqual(['s7']);
      if (round > 0) expect(await find(`round${round - 1}of7`)).toEqual([]);
      sizes.push(statSync(fileOf('words-')).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(4 * sizes[0]!);
  });

  test('still searches a deleted skill by its catalog record', async () => {
    const catalog = await makeCatalog({ a: skill('alpha', 'Sorts apples.', '\nflamingo\n') });
    rmSync(catalog.skills[0]!.dir, { recursive: true });
    expect(existsSync(catalog.skills[0]!.dir)).toBe(false);
    expect([searchSkills(catalog, 'apples').length, searchSkills(catalog, 'flamingo').length]).toEqual([
      1, 0,
    ]);
  });
});
