// RFC-0002, Gateway Protocol: every MUST and MUST NOT, by the name of its clause.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeWorld, skillText, type World } from '../make-world.ts';

const source = '.skillc/skills/demo';

let world: World;

/** Makes and builds the project's skill `demo`. */
async function make(files: Record<string, string>): Promise<void> {
  world = makeWorld(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${source}/${path}`, text])),
  );
  const { status, stderr } = await world.run(['build', 'demo', '--target', 'none']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

const outputOf = async (...words: string[]) => {
  const { status, stdout, stderr } = await world.run(words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};

const failureOf = async (...words: string[]) => {
  const { status, stdout, stderr } = await world.run(words);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  return stderr;
};

const jsonOf = async (...words: string[]) => (await world.run([...words, '--json'])).json();

describe('C-OUTLINE', () => {
  beforeEach(() =>
    make({
      'SKILL.md':
        '---\nname: demo\ndescription: d\n---\n# Skill Name\n## Getting Started\n## API Reference\n### Authentication\n### Endpoints\n',
      'references/advanced.md': '# Advanced Topics\n## Performance\n',
    }),
  );

  test('C-OUTLINE: the example of the clause, letter by letter', async () => {
    expect(await outputOf('outline', 'demo')).toBe(`SKILL.md
  # Skill Name
  ## Getting Started
  ## API Reference
    ### Authentication
    ### Endpoints
references/advanced.md
  # Advanced Topics
  ## Performance
`);
  });

  test('C-OUTLINE: the example with --level 2, letter by letter', async () => {
    expect(await outputOf('outline', 'demo', '--level', '2')).toBe(`SKILL.md
  # Skill Name
  ## Getting Started
  ## API Reference
references/advanced.md
  # Advanced Topics
  ## Performance
`);
  });

  test('C-OUTLINE: level, text and file of each heading, in JSON the same as in text', async () => {
    expect(await jsonOf('outline', 'demo', '--level', '1')).toEqual({
      skill: 'demo',
      headings: [
        { level: 1, text: 'Skill Name', file: 'SKILL.md', anchor: 'skill-name', start_line: 5, end_line: 9 },
        {
          level: 1,
          text: 'Advanced Topics',
          file: 'references/advanced.md',
          anchor: 'advanced-topics',
          start_line: 1,
          end_line: 2,
        },
      ],
      total: 2,
    });
  });

  test('C-OUTLINE: the source is scanned, so headings are current without a build', async () => {
    world.write({ [`${source}/new.md`]: '# New\n' });
    rmSync(join(world.project, source, 'references'), { recursive: true });
    expect(await outputOf('outline', 'demo', '--level', '1')).toBe(
      'SKILL.md\n  # Skill Name\nnew.md\n  # New\n',
    );
  });

  test('C-OUTLINE: files in bytewise order of their paths, without special cases', async () => {
    await make({
      'SKILL.md': skillText('demo', '# S\n'),
      'a/b.md': '# 1\n',
      'a.md': '# 2\n',
      'Z.md': '# 3\n',
      'a-b.md': '# 4\n',
      'ä.md': '# 5\n',
      'zz.MD': '# 6\n',
    });
    expect((await outputOf('outline', 'demo')).match(/^\S.*$/gm)).toEqual([
      'SKILL.md',
      'Z.md',
      'a-b.md',
      'a.md',
      'a/b.md',
      'zz.MD',
      'ä.md',
    ]);
  });

  test.each(['0', '7', 'two', '1.5', ''])('C-OUTLINE: --level %s is E100', async (level) => {
    expect(await failureOf('outline', 'demo', '--level', level)).toMatch(/^error\[E100\]: .*--level/);
  });
});

describe('C-SHOW', () => {
  const files = {
    'SKILL.md':
      '---\nname: demo\ndescription: d\n---\n# Demo\n\nIntro.\n\n## Getting Started\n\nOne.\nTwo.\nThree.\n\n### Deeper\n\nFour.\n\n## API Reference\n\nFive.\n',
    'references/advanced.md':
      '---\ndescription: For experts\n---\n# Advanced Topics\n\n## Getting Started\n\nAgain.\n\n## A — B\n\nDash.\n',
    'references/uebersicht.md': '# Übersicht\n\nAlles.\n',
  };
  beforeEach(() => make(files));

  test('C-SHOW: the heading and what follows until the next of its level or higher', async () => {
    expect(await outputOf('show', 'demo', '--section', 'API Reference')).toBe('## API Reference\n\nFive.\n');
    expect(await outputOf('show', 'demo', '--section', 'Getting Started', '--file', 'SKILL.md')).toBe(
      '## Getting Started\n\nOne.\nTwo.\nThree.\n\n### Deeper\n\nFour.\n\n',
    );
  });

  test('C-SHOW: lines are 1-based and those of the source', async () => {
    expect(await jsonOf('show', 'demo', '--section', 'api reference')).toEqual({
      skill: 'demo',
      sections: [
        {
          file: 'SKILL.md',
          section: 'API Reference',
          anchor: 'api-reference',
          level: 2,
          start_line: 19,
          end_line: 21,
          content: '## API Reference\n\nFive.\n',
          more_lines: 0,
        },
      ],
    });
    expect(await outputOf('open', 'demo', 'SKILL.md', '--lines', '19-21')).toBe(
      '## API Reference\n\nFive.\n',
    );
  });

  test('C-SHOW: --max-lines gives the first n lines and says how many more there are', async () => {
    const show = (lines: string) =>
      outputOf('show', 'demo', '--section', 'API Reference', '--max-lines', lines);
    expect(await show('1')).toBe('## API Reference\n... (2 more lines)\n');
    expect(await show('2')).toBe('## API Reference\n\n... (1 more lines)\n');
    expect(await show('3')).toBe('## API Reference\n\nFive.\n');
    expect(await show('1000')).toBe('## API Reference\n\nFive.\n');
  });

  test.each(['0', '-1', 'x'])('C-SHOW: --max-lines %s is E100', async (lines) => {
    expect(await failureOf('show', 'demo', '--section', 'Demo', `--max-lines=${lines}`)).toMatch(
      /^error\[E100\]/,
    );
  });

  test('C-SHOW: without an index, or with a stale one, E002', async () => {
    const unusable = (...why: string[]) =>
      `${["error[E002]: search index unusable; run 'skc build demo' to rebuild", ...why].join('\n')}
help: to rebuild and try again: skc show demo --section 'API Reference' --fresh\n`;
    world.write({ [`${source}/SKILL.md`]: skillText('demo', '# Demo\n\n## API Reference\n') });
    expect(await failureOf('show', 'demo', '--section', 'API Reference')).toBe(
      unusable('  the index is out of date: SKILL.md changed'),
    );
    rmSync(join(world.project, '.skillc/runtime'), { recursive: true });
    expect(await failureOf('show', 'demo', '--section', 'API Reference')).toBe(
      unusable('  there is no index yet'),
    );
  });

  test.each([
    ['surrounding space is trimmed', '  API Reference \t'],
    ['what follows an em-dash with spaces is ignored', 'API Reference — anything at all — really'],
    ['case is ignored', 'aPi rEFERENCE'],
    ['an anchor works too', '#api-reference'],
    ['a heading with its marks works too', '## API Reference'],
  ])('C-SHOW: %s', async (_what, query) => {
    expect(await outputOf('show', 'demo', '--section', query)).toBe('## API Reference\n\nFive.\n');
  });

  test('C-SHOW: a heading that has an em-dash of its own is found by its full text', async () => {
    expect(await outputOf('show', 'demo', '--section', 'A — B')).toBe('## A — B\n\nDash.\n');
  });

  test.each(['ÜBERSICHT', 'übersicht', 'U\u0308BERSICHT'])(
    'C-SHOW: case-insensitive beyond ASCII: %s',
    async (query) => {
      expect(await outputOf('show', 'demo', '--section', query)).toBe('# Übersicht\n\nAlles.\n');
    },
  );

  test('C-SHOW: --file searches that file only, however it is spelled', async () => {
    for (const file of ['references/advanced.md', './references/advanced.md', 'references//advanced.md'])
      expect(await outputOf('show', 'demo', '--section', 'Getting Started', '--file', file)).toBe(
        '## Getting Started\n\nAgain.\n\n',
      );
    expect(await failureOf('show', 'demo', '--section', 'Demo', '--file', 'references/advanced.md')).toMatch(
      /^error\[E020\]/,
    );
    expect(await failureOf('show', 'demo', '--section', 'Demo', '--file', 'none.md')).toBe(
      "error[E021]: file not found: 'none.md'\nhelp: run `skc sources demo` to list the files\n",
    );
    expect(await failureOf('show', 'demo', '--section', 'Demo', '--file', '../demo/SKILL.md')).toBe(
      "error[E012]: path escapes skill root: '../demo/SKILL.md'\nhelp: use a path inside the skill. Copy the files it needs into it\n",
    );
  });

  test('C-SHOW: of several matches the first is shown, with the warning of the clause and status 0', async () => {
    expect(
      await world.run(['show', 'demo', '--section', 'getting started', '--max-lines', '3']),
    ).toMatchObject({
      status: 0,
      stdout: '## Getting Started\n\nOne.\n... (7 more lines)\n',
      stderr: `warning: multiple matches for "getting started"; showing first
  SKILL.md:9  skc show demo --section 'Getting Started' --file SKILL.md --max-lines 3
  references/advanced.md:6  skc show demo --section 'Getting Started' --file references/advanced.md --max-lines 3
`,
    });
  });

  test('C-SHOW: without a match similar headings are suggested as the clause prints them', async () => {
    expect(
      await failureOf('show', 'demo', '--section', 'getting'),
    ).toBe(`error[E020]: section not found: 'getting'

Did you mean one of these?
  - Getting Started (SKILL.md)
  - Getting Started (references/advanced.md)
`);
    expect(
      await failureOf('show', 'demo', '--section', 'Topics'),
    ).toBe(`error[E020]: section not found: 'Topics'

Did you mean one of these?
  - Advanced Topics (references/advanced.md)
`);
    expect(await failureOf('show', 'demo', '--section', 'API Refrence')).toContain(
      '  - API Reference (SKILL.md)\n',
    );
  });

  test('C-SHOW: five suggestions at most, prefixes before what contains the words', async () => {
    await make({
      'SKILL.md': skillText(
        'demo',
        ['The form', 'Form 3', 'Form 1', 'Form 2', 'Form 4', 'A form'].map((h) => `# ${h}\n`).join(''),
      ),
    });
    expect((await failureOf('show', 'demo', '--section', 'form')).match(/^ {2}- .*$/gm)).toEqual([
      '  - Form 3 (SKILL.md)',
      '  - Form 1 (SKILL.md)',
      '  - Form 2 (SKILL.md)',
      '  - Form 4 (SKILL.md)',
      '  - The form (SKILL.md)',
    ]);
  });

  test('C-SHOW: nothing similar, no suggestions; a file without a title is shown by its path', async () => {
    await make({ 'SKILL.md': skillText('demo'), 'notes/plain.md': 'No heading.\n' });
    expect(await failureOf('show', 'demo', '--section', 'quantum')).toBe(
      "error[E020]: section not found: 'quantum'\nhelp: run 'skc outline demo' to list the headings\n",
    );
    expect(await outputOf('show', 'demo', '--section', 'notes/plain.md')).toBe('No heading.\n');
  });

  test('C-SHOW: several sections in one call, and none when one of them is missing', async () => {
    expect(await outputOf('show', 'demo', '-s', 'Übersicht', '-s', '#api-reference')).toBe(
      '# Übersicht\n\nAlles.\n\n## API Reference\n\nFive.\n',
    );
    expect(await failureOf('show', 'demo', '-s', 'Übersicht', '-s', 'missing')).toMatch(/^error\[E020\]/);
    expect(await failureOf('show', 'demo')).toMatch(/^error\[E100\]: missing --section/);
  });
});

describe('C-OPEN', () => {
  beforeEach(() =>
    make({
      'SKILL.md': skillText('demo'),
      'notes.txt': 'one\r\ntwo\rthree\nfour',
      'bom.txt': '\uFEFFbom\n',
      'empty.txt': '',
      'data.bin': 'a\0b',
      'references/a.md': '---\nx: 1\n---\n# A\n',
    }),
  );

  test('C-OPEN: the content as it is, of any kind of text file', async () => {
    expect(await outputOf('open', 'demo', 'notes.txt')).toBe('one\r\ntwo\rthree\nfour');
    expect(await outputOf('open', 'demo', 'bom.txt')).toBe('\uFEFFbom\n');
    expect(await outputOf('open', 'demo', 'empty.txt')).toBe('');
    expect(await outputOf('open', 'demo', 'references/a.md')).toBe('---\nx: 1\n---\n# A\n');
    expect(await jsonOf('open', 'demo', 'notes.txt')).toEqual({
      skill: 'demo',
      path: 'notes.txt',
      content: 'one\r\ntwo\rthree\nfour',
      more_lines: 0,
    });
  });

  test('C-OPEN: --max-lines gives the first n lines and says how many more there are', async () => {
    const open = (lines: string) => outputOf('open', 'demo', 'notes.txt', '--max-lines', lines);
    expect(await open('1')).toBe('one\r\n... (3 more lines)\n');
    expect(await open('3')).toBe('one\r\ntwo\rthree\n... (1 more lines)\n');
    expect(await open('4')).toBe('one\r\ntwo\rthree\nfour');
  });

  test('C-OPEN: --lines gives a range', async () => {
    expect(await outputOf('open', 'demo', 'notes.txt', '--lines', '2-3')).toBe('two\rthree\n');
    expect(await outputOf('open', 'demo', 'notes.txt', '--lines', '4')).toBe('four');
    expect(await world.run(['open', 'demo', 'notes.txt', '--lines', '9-12'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'notes.txt ends before line 9\n',
    });
    expect(await outputOf('open', 'demo', 'notes.txt', '--lines', '1-3', '--max-lines', '1')).toBe(
      'one\r\n... (2 more lines)\n',
    );
    expect(await failureOf('open', 'demo', 'notes.txt', '--lines', '3-1')).toMatch(/^error\[E100\].*--lines/);
  });

  test.each([
    ['notes.md', "error[E021]: file not found: 'notes.md'\nhelp: did you mean notes.txt?\n"],
    ['references', "error[E021]: file not found: 'references'\nhelp: did you mean references/a.md?\n"],
    ['.', "error[E021]: file not found: '.'\nhelp: run `skc sources demo` to list the files\n"],
    ['notes.txt/x', "error[E021]: file not found: 'notes.txt/x'\nhelp: did you mean notes.txt?\n"],
    [
      '../demo/SKILL.md',
      "error[E012]: path escapes skill root: '../demo/SKILL.md'\nhelp: use a path inside the skill. Copy the files it needs into it\n",
    ],
    [
      '/etc/passwd',
      "error[E012]: path escapes skill root: '/etc/passwd'\nhelp: use a path inside the skill. Copy the files it needs into it\n",
    ],
    ['data.bin', "error[E015]: cannot read 'data.bin': binary file\nhelp: only text files can be opened\n"],
  ])('C-OPEN: %s is refused', async (path, error) => {
    expect(await failureOf('open', 'demo', path)).toBe(error);
  });
});

describe('C-ERRORS', () => {
  beforeEach(() => make({ 'SKILL.md': skillText('demo') }));

  test.each([
    { words: ['outline', 'nothing'], code: 'E001' },
    { words: ['sources', './empty'], code: 'E010' },
    { words: ['open', 'demo', '../x'], code: 'E012' },
    { words: ['sources', 'demo', '--dir', '..'], code: 'E012' },
    { words: ['show', 'demo', '--section', 'x'], code: 'E020' },
    { words: ['open', 'demo', 'x'], code: 'E021' },
    { words: ['sources', 'demo', '--dir', 'x'], code: 'E022' },
    { words: ['search', 'demo', ' '], code: 'E004' },
    { words: ['outline', 'demo', '--nope'], code: 'E100' },
    { words: ['open', 'demo'], code: 'E100' },
    { words: ['outline'], code: 'E100' },
    { words: ['sources', 'demo', 'extra'], code: 'E100' },
  ])('C-ERRORS: $words is $code, status 1, on stderr', async ({ words, code }) => {
    world.write({ empty: { directory: true } });
    expect(await failureOf(...words)).toMatch(new RegExp(`^error\\[${code}\\]: `));
    expect(await jsonOf(...words)).toMatchObject({ error: { code } });
  });
});

describe('C-SOURCES', () => {
  const many = (dir: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${dir}/f${index}.md`, 'x\n']));

  test('C-SOURCES: the example of the clause, directories first', async () => {
    const files = {
      'SKILL.md': skillText('cuda'),
      ...many('references/cuda-driver-docs', 156),
      ...many('references/cuda-runtime-docs', 89),
      ...Object.fromEntries(
        ['compilation', 'debugging-tools', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].map((name) => [
          `references/${name}.md`,
          'x\n',
        ]),
      ),
    };
    world = makeWorld(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`.skillc/skills/cuda/${path}`, text])),
    );
    expect(await outputOf('sources', 'cuda', '--depth', '2', '--limit', '5')).toBe(`cuda/
├── references/
│   ├── cuda-driver-docs/ (156 files)
│   ├── cuda-runtime-docs/ (89 files)
│   ├── compilation.md
│   ├── debugging-tools.md
│   └── ... (8 more)
`);
  });

  beforeEach(() =>
    make({
      'SKILL.md': skillText('demo'),
      'z.txt': 'x',
      'b/one.md': 'x',
      'b/two.py': 'x',
      'b/c/three.md': 'x',
      'B/four.md': 'x',
      '.hidden/x.md': 'x',
      'node_modules/x/x.md': 'x',
    }),
  );

  test('C-SOURCES: all files as a tree, directories before files, each in bytewise order', async () => {
    expect(await outputOf('sources', 'demo')).toBe(`demo/
├── B/
│   └── four.md
├── b/
│   ├── c/
│   │   └── three.md
│   ├── one.md
│   └── two.py
├── SKILL.md
└── z.txt
`);
  });

  test('C-SOURCES: a directory that is not expanded shows how many files it has', async () => {
    expect(await outputOf('sources', 'demo', '--depth', '1')).toBe(`demo/
├── B/ (1 files)
├── b/ (3 files)
├── SKILL.md
└── z.txt
`);
  });

  test('C-SOURCES: text and JSON show the same entries in the same order', async () => {
    const text = await outputOf('sources', 'demo', '--depth', '2', '--limit', '5');
    expect(text).toBe(`demo/
├── B/
│   └── four.md
├── b/
│   ├── c/ (1 files)
│   ├── one.md
│   └── ... (3 more)
`);
    expect(await jsonOf('sources', 'demo', '--depth', '2', '--limit', '5')).toEqual({
      skill: 'demo',
      root: 'demo',
      entries: [
        { path: 'B', type: 'directory', files: 1, expanded: true },
        { path: 'B/four.md', type: 'file', files: null, expanded: null },
        { path: 'b', type: 'directory', files: 3, expanded: true },
        { path: 'b/c', type: 'directory', files: 1, expanded: false },
        { path: 'b/one.md', type: 'file', files: null, expanded: null },
      ],
      total: 8,
      next: 'b/two.py',
    });
  });

  test('C-SOURCES: the limit is 100 unless given, and the output ends with what is left out', async () => {
    await make({ 'SKILL.md': skillText('demo'), ...many('r', 150) });
    const lines = (await outputOf('sources', 'demo')).trimEnd().split('\n');
    expect({ count: lines.length, last: lines.at(-1) }).toEqual({
      count: 102,
      last: '│   └── ... (52 more)',
    });
    const exact = (await outputOf('sources', 'demo', '--limit', '152')).trimEnd().split('\n');
    expect({ count: exact.length, last: exact.at(-1) }).toEqual({ count: 153, last: '└── SKILL.md' });
  });

  test('C-SOURCES: --pattern filters files', async () => {
    expect(await outputOf('sources', 'demo', '--pattern', '*.py')).toBe('demo/\n└── b/\n    └── two.py\n');
    expect(await outputOf('sources', 'demo', '--pattern', 'b/**/*.md')).toBe(
      'demo/\n└── b/\n    ├── c/\n    │   └── three.md\n    └── one.md\n',
    );
    expect(await outputOf('sources', 'demo', '--pattern', '*.rs')).toBe('demo/\n');
  });

  test('C-SOURCES: --dir shows the subtree, and --depth counts from there', async () => {
    for (const dir of ['b', './b/'])
      expect(await outputOf('sources', 'demo', '--dir', dir, '--depth', '1')).toBe(
        'b/\n├── c/ (1 files)\n├── one.md\n└── two.py\n',
      );
    expect(await outputOf('sources', 'demo', '--dir', '.', '--depth', '1')).toMatch(/^demo\/\n/);
  });

  test.each([
    [
      'missing',
      "error[E022]: directory not found: 'missing'\nhelp: run `skc sources demo` to list the directories\n",
    ],
    [
      'SKILL.md',
      "error[E022]: directory not found: 'SKILL.md'\nhelp: run `skc sources demo` to list the directories\n",
    ],
    [
      '..',
      "error[E012]: path escapes skill root: '..'\nhelp: use a path inside the skill. Copy the files it needs into it\n",
    ],
    [
      'b/../..',
      "error[E012]: path escapes skill root: 'b/../..'\nhelp: use a path inside the skill. Copy the files it needs into it\n",
    ],
    [
      '/etc',
      "error[E012]: path escapes skill root: '/etc'\nhelp: use a path inside the skill. Copy the files it needs into it\n",
    ],
  ])('C-SOURCES: --dir %s is refused', async (dir, error) => {
    expect(await failureOf('sources', 'demo', '--dir', dir)).toBe(error);
  });
});
