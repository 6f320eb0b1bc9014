import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildIndex } from './build-index.ts';
import { indexPath } from './database.ts';
import { openIndex, type SkillIndex } from './open-index.ts';

let root: string;
let sourceDir: string;
let indexDir: string;
let open: SkillIndex[] = [];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'skill-index-')));
  sourceDir = join(root, 'demo');
  indexDir = join(root, 'runtime', '.skillc');
});

afterEach(() => {
  for (const index of open) index.close();
  open = [];
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(sourceDir, path)), { recursive: true });
  writeFileSync(join(sourceDir, path), text);
}

function build(): SkillIndex {
  buildIndex({ sourceDir, indexDir, tokenizer: 'porter', now: new Date() });
  return reopen();
}

function reopen(): SkillIndex {
  const index = openIndex({ skill: 'demo', sourceDir, indexDir });
  open.push(index);
  return index;
}

function codeOf(action: () => unknown): string {
  try {
    action();
    return 'no error';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

function find(index: SkillIndex, query: string): string[] {
  return index.search(query).results.map(({ file, section }) => `${file}#${section}`);
}

const skill =
  '---\nname: demo\ndescription: Shows things\n---\n# Demo\n\nHello alpha.\n\n## Übersicht\n\nHello beta.\n';

describe('headings', () => {
  test('are found by text, anchor, file and level', () => {
    write('SKILL.md', skill);
    write('a.md', '# Other\n\n## übersicht\n');
    const index = build();
    const row = { file: 'SKILL.md', text: 'Übersicht', folded: 'übersicht', level: 2, anchor: 'übersicht' };
    const here = { ...row, start_line: 9, end_line: 11 };
    const there = { ...row, file: 'a.md', text: 'übersicht', start_line: 3, end_line: 3 };
    expect(index.headings({ text: ' ÜBERSICHT' })).toEqual([here, there]);
    expect(index.headings({ anchor: 'übersicht', file: 'a.md' })).toEqual([there]);
    expect(index.headings({ maxLevel: 1 }).map(({ text }) => text)).toEqual(['Demo', 'Other']);
    expect(index.headings().map(({ text }) => text)).toEqual(['Demo', 'Übersicht', 'Other', 'übersicht']);
  });
});

describe('search', () => {
  test('returns complete results', () => {
    write('SKILL.md', skill);
    expect(build().search('beta hello')).toEqual({
      query: 'beta hello',
      relaxed: false,
      results: [
        {
          file: 'SKILL.md',
          section: 'Übersicht',
          level: 2,
          anchor: 'übersicht',
          start_line: 9,
          end_line: 11,
          snippet: '[MATCH]Hello[/MATCH] [MATCH]beta[/MATCH].',
          score: expect.any(Number),
        },
        {
          file: 'SKILL.md',
          section: 'Demo',
          level: 1,
          anchor: 'demo',
          start_line: 5,
          end_line: 8,
          snippet: '[MATCH]Hello[/MATCH] alpha.',
          missing: ['beta'],
          score: expect.any(Number),
        },
      ],
    });
  });

  test('has sections with all words first, then others, marked', () => {
    write('SKILL.md', '# A\nred green\n# B\nred blue\n# C\nyellow\n');
    const index = build();
    expect(find(index, 'blue red')).toEqual(['SKILL.md#B', 'SKILL.md#A']);
    expect(index.search('blue red').results.map(({ missing }) => missing)).toEqual([undefined, ['blue']]);
    expect(find(index, 'red')).toEqual(['SKILL.md#A', 'SKILL.md#B']);
    expect(index.search('green yellow')).toMatchObject({ relaxed: true });
    expect(find(index, 'green yellow').sort()).toEqual(['SKILL.md#A', 'SKILL.md#C']);
    expect(index.search('nowhere')).toEqual({ query: 'nowhere', results: [], relaxed: false });
    expect(index.search('nowhere nothing')).toMatchObject({ results: [] });
  });

  test('weighs a heading more than the text, and counts text only once', () => {
    write(
      'SKILL.md',
      '# Top\n\nIntro.\n\n## Setup\n\nRun it.\n\n### Deep\n\nneedle\n\n## Other\n\nThe setup is described above, setup.\n',
    );
    const index = build();
    expect(find(index, 'setup')).toEqual(['SKILL.md#Setup', 'SKILL.md#Other']);
    expect(find(index, 'needle')).toEqual(['SKILL.md#Deep']);
  });

  test('prefers more of the words to more of one word, and neighbours to words apart', () => {
    write('SKILL.md', '# A\n\nred red red red\n\n# B\n\nred blue other thing\n\n# C\n\ngreen\n');
    expect(find(build(), 'red blue green')[0]).toBe('SKILL.md#B');
    write('SKILL.md', '# A\n\nred one two three blue\n\n# B\n\none two three red blue\n');
    expect(find(build(), 'red blue')).toEqual(['SKILL.md#B', 'SKILL.md#A']);
  });

  test('finds words that are only in a heading, and marks them there', () => {
    write('SKILL.md', '# A\n\n## The zebra `crossing`\n\n# B\n\ntext\n');
    const { results } = build().search('zebra crossing');
    expect(results.map(({ section, heading, snippet }) => ({ section, heading, snippet }))).toEqual([
      {
        section: 'The zebra crossing',
        heading: 'The [MATCH]zebra[/MATCH] [MATCH]crossing[/MATCH]',
        snippet: '',
      },
    ]);
  });

  test('finds symbols and emoji as written', () => {
    write('SKILL.md', '# Arrows\n\nWrite a => b, or a => c.\n\n# Party 🎉\n\nYes ❤️\n\n# Both\n\n=> && ||\n');
    const index = build();
    const symbols = (query: string) =>
      index.search(query).results.map(({ section, heading = '', snippet }) => [section, heading, snippet]);
    expect(symbols('=>')).toEqual([
      ['Arrows', '', 'Write a [MATCH]=>[/MATCH] b, or a [MATCH]=>[/MATCH] c.'],
      ['Both', '', '[MATCH]=>[/MATCH] && ||'],
    ]);
    expect(symbols('|| =>')).toEqual([['Both', '', '[MATCH]=>[/MATCH] && [MATCH]||[/MATCH]']]);
    expect(symbols('🎉')).toEqual([['Party 🎉', 'Party [MATCH]🎉[/MATCH]', 'Yes ❤️']]);
    expect(symbols('❤')).toEqual([['Party 🎉', '', 'Yes [MATCH]❤[/MATCH]️']]);
    expect(index.search('🎉 ||').relaxed).toBe(true);
    expect(symbols('$(rm)(')).toEqual([]);
    expect(symbols('¿¿')).toEqual([]);
  });

  test('understands a question', () => {
    write('SKILL.md', '# Install\nUse npm.\n# Why\nhow do i what is the, install\n');
    expect(find(build(), 'How do I install it?')[0]).toBe('SKILL.md#Install');
  });

  test('finds text before the first heading, descriptions, plain files and code, but no raw frontmatter', () => {
    write(
      'SKILL.md',
      '---\nname: demo\ndescription: Shows things\nlicense: Secretword\n---\nopening\n\n# Demo\n',
    );
    write('notes.txt', 'first\n\nlast\n');
    write('scripts/run.py', 'def fetch_user_name(): pass\n');
    write('data.json', '{ "colour": "mauve" }');
    write('.hidden/x.md', '# hidden\n');
    const index = build();
    expect(find(index, 'opening')).toEqual(['SKILL.md#']);
    expect(find(index, 'shows')).toEqual(['SKILL.md#']);
    expect(find(index, 'secretword')).toEqual([]);
    expect(find(index, 'last first')).toEqual(['notes.txt#']);
    expect(find(index, 'fetch_user_name')).toEqual(['scripts/run.py#']);
    expect(find(index, 'mauve')).toEqual(['data.json#']);
    expect(find(index, 'hidden')).toEqual([]);
  });

  test.each([
    ['数据库', '我们使用数据库存储用户信息。'],
    ['用户', '我们使用数据库存储用户信息。'],
    ['検索', '全文検索エンジンです'],
    ['エンジン', '全文検索エンジンです'],
    ['데이터베이스', '데이터베이스를 사용합니다'],
    ['猫', '小猫咪'],
    ['咪', '小猫咪'],
    ['ข้อมูล', 'ฐานข้อมูลขนาดใหญ่'],
    ['ÜBERSICHT', 'die übersicht'],
    ['resume', 'his résumé'],
    ['ΟΔΟΣ', 'η οδος'],
  ])('finds %s in %s', (query, text) => {
    write('SKILL.md', `# A\n${text}\n# B\nother 文字 words\n`);
    const index = build();
    expect(find(index, query)).toEqual(['SKILL.md#A']);
    expect(index.search(query).results[0]?.snippet).toContain('[MATCH]');
  });

  test.each([
    '"',
    '""',
    '*',
    'hello*',
    'NEAR(',
    'NEAR(hello beta)',
    '-hello',
    'a:b',
    'section:hello',
    '^hello',
    'hello AND',
    'OR',
    'NOT hello',
    '{hello}',
    'hello\0beta',
    "'; DROP TABLE files;",
    '\\',
    '+',
    'ﾞ',
    '\ud800',
    '́',
  ])('takes %j as words', (query) => {
    write('SKILL.md', skill);
    expect(codeOf(() => build().search(query))).toBe('no error');
  });

  test('a prefix operator is not an operator', () => {
    write('SKILL.md', skill);
    expect(find(build(), 'hel*')).toEqual([]);
  });

  test.each(['', ' ', '\n\t', '\u3000'])('E004 for the blank query %j', (query) => {
    write('SKILL.md', skill);
    expect(codeOf(() => build().search(query))).toBe('E004');
  });

  test('a query of 10,000 words is answered', () => {
    write('SKILL.md', skill);
    const query = `hello ${Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(' ')}`;
    expect(build().search(query).results).toHaveLength(2);
  });

  test('searches for stop words when the query has no others', () => {
    write('SKILL.md', '# A\nto be or not to be\n# B\nnothing\n');
    const index = build();
    expect(find(index, 'not to be')).toEqual(['SKILL.md#A']);
    expect(find(index, 'the nothing')).toEqual(['SKILL.md#B']);
  });

  test('respects the limit; orders ties by file and line', () => {
    write('SKILL.md', '# x\nsame\n# x\nsame\n');
    write('a/b.md', '# x\nsame\n');
    const index = build();
    expect(find(index, 'same')).toHaveLength(3);
    const lines = index
      .search('same', { limit: 2 })
      .results.map(({ file, start_line }) => [file, start_line]);
    expect(lines).toEqual([
      ['SKILL.md', 1],
      ['SKILL.md', 3],
    ]);
  });
});

describe('freshness', () => {
  const cases: Record<string, [() => void, string]> = {
    nothing: [() => {}, 'no error'],
    'a changed heading': [() => write('SKILL.md', skill.replace('Demo', 'Domo')), 'E002'],
    'the same size in the same moment': [
      () => {
        const { atime, mtime } = statSync(join(sourceDir, 'SKILL.md'));
        write('SKILL.md', skill.replace('alpha', 'gamma'));
        utimesSync(join(sourceDir, 'SKILL.md'), atime, mtime);
      },
      'E002',
    ],
    'a touched file': [() => utimesSync(join(sourceDir, 'SKILL.md'), 1, 1), 'no error'],
    'a rewritten file': [() => write('SKILL.md', skill), 'no error'],
    'a new file': [() => write('new.md', '# new\n'), 'E002'],
    'a new hidden file': [() => write('.new.md', '# new\n'), 'no error'],
    'a new binary file': [() => write('new.png', Buffer.from([1, 0, 2])), 'no error'],
    'a new large file': [() => write('new.txt', 'x'.repeat(1024 * 1024 + 1)), 'no error'],
    'a deleted file': [() => rmSync(join(sourceDir, 'a.md')), 'E002'],
    'a deleted binary file': [() => rmSync(join(sourceDir, 'logo.png')), 'no error'],
    'a binary file that became text': [() => write('logo.png', 'text'), 'E002'],
    'a text file that became binary': [() => write('a.md', Buffer.from([0, 1])), 'E002'],
    'a deleted skill': [() => rmSync(sourceDir, { recursive: true }), 'E002'],
  };

  test.each(Object.entries(cases))('%s', (_, [change, code]) => {
    write('SKILL.md', skill);
    write('a.md', '# a\n');
    write('logo.png', Buffer.from([0, 1, 2]));
    const index = build();
    change();
    expect(codeOf(() => index.checkFresh())).toBe(code);
    expect(codeOf(() => reopen().checkFresh())).toBe(code);
  });

  test('a file that changes between check and search is E002, not a wrong snippet', () => {
    write('SKILL.md', skill);
    const index = build();
    index.checkFresh();
    write('SKILL.md', `new first line\n${skill}`);
    expect(codeOf(() => index.search('alpha'))).toBe('E002');
    expect(codeOf(() => index.readText('SKILL.md'))).toBe('E002');
  });
});

describe('an unusable index', () => {
  test('missing is E002 with the name the user gave', () => {
    write('SKILL.md', skill);
    expect(() => reopen()).toThrow("search index unusable; run 'skc build demo' to rebuild");
  });

  test('another tokenizer is E002', () => {
    write('SKILL.md', skill);
    build();
    expect(codeOf(() => openIndex({ skill: 'demo', sourceDir, indexDir, tokenizer: 'unicode' }))).toBe(
      'E002',
    );
  });

  test.each([0, 50, 5000])('%i bytes of garbage are E002', (size) => {
    write('SKILL.md', skill);
    build();
    writeFileSync(indexPath(indexDir, sourceDir), Buffer.alloc(size, 'garbage'));
    expect(codeOf(() => reopen())).toBe('E002');
  });

  test('a directory in its place is E002', () => {
    write('SKILL.md', skill);
    mkdirSync(indexPath(indexDir, sourceDir), { recursive: true });
    expect(codeOf(() => reopen())).toBe('E002');
  });
});
