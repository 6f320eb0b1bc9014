import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';

interface Found {
  readonly results: readonly {
    readonly file: string;
    readonly section: string;
    readonly snippet: string;
    readonly command: string;
    readonly missing?: readonly string[];
    readonly read_before?: true;
  }[];
  readonly relaxed?: true;
  readonly instead?: readonly { readonly word: string; readonly by: readonly string[] }[];
}

/** A built skill with these files. */
async function makeDemo(body: string, files: Readonly<Record<string, string>> = {}) {
  const source = '.skillc/skills/demo';
  const world = makeWorld({
    [`${source}/SKILL.md`]: skillText('demo', body),
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`${source}/${path}`, text])),
  });
  await world.run(['build', 'demo', '--target', 'none']);
  const search = async (...words: string[]) => {
    const { stdout } = await world.run(['search', 'demo', ...words, '--json']);
    return JSON.parse(stdout) as Found;
  };
  return { world, search };
}

const namesOf = ({ results }: Found) => results.map(({ file, section }) => section || file);

const lines = Array.from({ length: 200 }, (_, index) => `value_${index} = ${index}`);
lines[120] = 'alpha = beta  # both words';
const few = '# Demo\n\n## First\n\nalpha alone\n\n## Second\n\nbeta alone\n';

test('a hit in a long file without headings is opened around the passage, not from its first line', async () => {
  const { search } = await makeDemo(few, { 'scripts/long.py': `${lines.join('\n')}\n` });
  const { results } = await search('alpha beta');
  const hit = results.find(({ file }) => file === 'scripts/long.py');
  expect(hit?.command).toBe('skc open demo scripts/long.py --lines 106-136');
});

describe('endings', () => {
  test.each([
    ['extract', 'Extraction'],
    ['migrate', 'Migration'],
    ['validate', 'Validation'],
    ['authenticate', 'Authentication'],
    ['protect', 'Protection'],
    ['Protection', 'How to protect'],
  ])('%s finds %s', async (word, heading) => {
    const { search } = await makeDemo(`# Demo\n\nNothing.\n\n## ${heading}\n\nText.\n`);
    expect(namesOf(await search(word))).toEqual([heading]);
  });
});

describe('order', () => {
  const prose = 'Read tracked changes one by one.';
  const code = 'def tracked(changes):\n    return changes  # tracked changes, tracked changes\n';
  test('exact heading, all words in a heading, then text, code and data', async () => {
    const { search } = await makeDemo(
      `# Demo\n\n## Notes\n\n${prose}\n\n## Accepting tracked changes\n\nAll.\n\n## Tracked Changes\n\nLong ago.\n`,
      { 'a.xsd': `<x>${'tracked changes '.repeat(9)}</x>`, 'b.py': code, 'c.json': '{"tracked": "changes"}' },
    );
    const names = namesOf(await search('tracked changes'));
    expect(names.slice(0, 4)).toEqual(['Tracked Changes', 'Accepting tracked changes', 'Notes', 'b.py']);
    expect(names.slice(4).toSorted()).toEqual(['a.xsd', 'c.json']);
  });
  test('a heading with one common word is not better than a text with the answer', async () => {
    const { search } = await makeDemo(
      '# Demo\n\n## Use\n\nNothing.\n\n## Using it\n\nNothing.\n\n## Limits\n\nUse at most ten retries: then the upload stops.\n',
    );
    expect(namesOf(await search('How many retries does an upload use?'))[0]).toBe('Limits');
  });
});

describe('few sections with all words', () => {
  test('others follow at once, with the words they lack', async () => {
    const { world, search } = await makeDemo(`${few}\n## Both\n\nalpha and beta\n`);
    const { results, relaxed } = await search('alpha beta');
    expect(results.map(({ section, missing }) => [section, missing])).toEqual([
      ['Both', undefined],
      ['First', ['beta']],
      ['Second', ['alpha']],
    ]);
    expect(relaxed).toBeUndefined();
    const { stdout } = await world.run(['search', 'demo', 'alpha beta']);
    expect(stdout).toContain('\nFirst  SKILL.md:8-11  (without: beta)\n');
    expect(stdout).not.toContain('--any');
  });
  test('nothing is added to three', async () => {
    const { search } = await makeDemo(
      `${few}${[1, 2, 3].map((number) => `\n## Both ${number}\n\nalpha beta\n`).join('')}`,
    );
    expect(namesOf(await search('alpha beta')).toSorted()).toEqual(['Both 1', 'Both 2', 'Both 3']);
  });
  test('with --any, one word finds what it finds without', async () => {
    const { search } = await makeDemo(few);
    expect(namesOf(await search('beta', '--any'))).toEqual(namesOf(await search('beta')));
    expect(namesOf(await search('which beta', '--any'))).toContain('Second');
  });
});

describe('what is shown', () => {
  const body = `# Demo

## Export

| name | pages |
|---|---|
| pages | all pages of the export |

\`\`\`sh
export pages --all
\`\`\`

It writes one file. Pages without text are skipped when you export them. Then it stops.
`;
  test('a sentence of the section, not its code and tables', async () => {
    const { search } = await makeDemo(body);
    expect((await search('export pages')).results[0]?.snippet).toBe(
      '[MATCH]Pages[/MATCH] without text are skipped when you [MATCH]export[/MATCH] them.',
    );
  });
  test('a line of code when no sentence matches', async () => {
    const { search } = await makeDemo('# Demo\n\nText.\n\n```sh\nfirst --line\nrun --quietly\n```\n');
    expect((await search('quietly')).results[0]?.snippet).toBe('run --[MATCH]quietly[/MATCH]');
  });
  test('on a terminal, wrapped between words', async () => {
    const long = `Pages ${'without any text '.repeat(5)}are skipped.`;
    const { world } = await makeDemo(`# Demo\n\n${long}\n`);
    const { stdout } = await world.run(['search', 'demo', 'pages'], { terminal: true });
    const shown = stripVTControlCharacters(stdout).split('\n');
    expect(shown.slice(1, 3).map((line) => line.length <= 80)).toEqual([true, true]);
    expect(`${shown[1]} ${shown[2]?.trim()}`.trim()).toBe(long);
  });
});

describe('other words', () => {
  test('a word the skill does not have stands for those that begin alike, and the answer says so', async () => {
    const { world, search } = await makeDemo('# Demo\n\n## Storage\n\nEach repository has a quota.\n');
    const { results, instead } = await search('repo quota');
    expect([results[0]?.section, instead]).toEqual(['Storage', [{ word: 'repo', by: ['repository'] }]]);
    const { stdout } = await world.run(['search', 'demo', 'repo quota']);
    expect(stdout).toContain('"repo" is not in this skill; searched for repository instead\n');
  });
  test('a typo', async () => {
    const { search } = await makeDemo('# Demo\n\n## Limits\n\nThe quota is ten.\n');
    expect((await search('qouta')).instead).toEqual([{ word: 'qouta', by: ['quota'] }]);
  });
  test('a section that was read after a similar search comes before others like it', async () => {
    const { world, search } = await makeDemo(
      '# Demo\n\n## A\n\nlimits of uploads\n\n## B\n\nlimits of uploads\n\n## Billing\n\nWhat you pay.\n',
    );
    const env = { SKC_RUN_ID: 'one', SKC_NO_LOG: '' };
    expect(namesOf(await search('limits of uploads'))).toEqual(['A', 'B']);
    await world.run(['search', 'demo', 'limits for uploads'], { env });
    await world.run(['show', 'demo', '--section', 'B'], { env });
    const { results } = await search('limits of uploads');
    expect(results.map(({ section, read_before }) => [section, read_before])).toEqual([
      ['B', true],
      ['A', undefined],
    ]);
    expect((await search('billing')).results.map(({ read_before }) => read_before)).toEqual([undefined]);
  });
});

test('with one word, the help says where it would search and offers to search all skills', async () => {
  const { world } = await makeDemo(few);
  for (const word of ['demo', 'no-such-skill'])
    expect(await world.run(['search', word])).toMatchObject({
      status: 1,
      stderr: `error[E100]: missing <query>\nhelp: search looks for words inside one skill, here '${word}'; to search all skills: skc find ${word}\n`,
    });
  expect((await world.run(['search'])).stderr).toContain("help: run 'skc search --help'");
});
