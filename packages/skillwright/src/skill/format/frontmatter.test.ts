import { describe, expect, test } from 'vitest';
import { FRONTMATTER_LIMIT, type FrontmatterProblem, readFrontmatter } from './frontmatter.ts';
import { writtenText } from './written-text.ts';

describe('fences', () => {
  const data = { name: 'a' };
  test.each([
    ['LF', '---\nname: a\n---\nbody\n', { data, yaml: 'name: a\n', body: 'body\n', bodyLine: 4 }],
    ['CRLF', '---\r\nname: a\r\n---\r\nb\r\n', { data, yaml: 'name: a\r\n', body: 'b\r\n', bodyLine: 4 }],
    ['CR alone', '---\rname: a\r---\rb\rc', { data, yaml: 'name: a\r', body: 'b\rc', bodyLine: 4 }],
    ['BOM', '\ufeff---\nname: a\n---\nb', { data, yaml: 'name: a\n', body: 'b', bodyLine: 4 }],
    ['end of file at the fence', '---\nname: a\n---', { data, yaml: 'name: a\n', body: '', bodyLine: 4 }],
    ['empty', '---\n---\nb', { data: {}, yaml: '', body: 'b', bodyLine: 3 }],
    ['only a comment', '---\n# none\n---\n', { data: {}, yaml: '# none\n', body: '', bodyLine: 4 }],
    [
      'a rule in the body',
      '---\nname: a\n---\nb\n---\n',
      { data, yaml: 'name: a\n', body: 'b\n---\n', bodyLine: 4 },
    ],
    [
      'dashes in a block scalar',
      '---\nname: |-\n  x\n  ---\n  y\n---\nb',
      { data: { name: 'x\n---\ny' }, yaml: 'name: |-\n  x\n  ---\n  y\n', body: 'b', bodyLine: 7 },
    ],
    [
      'dashes in a quoted value',
      '---\nname: "x\n  ---\n  y --- z"\n---\nb',
      { data: { name: 'x --- y --- z' }, yaml: 'name: "x\n  ---\n  y --- z"\n', body: 'b', bodyLine: 6 },
    ],
  ])('%s', (_, text, expected) => {
    expect(readFrontmatter(text)).toEqual({ ...expected, problems: [] });
  });

  test('accepts white space after a fence, with a warning', () => {
    const message = "white space after '---'; other readers may not see the frontmatter";
    expect(readFrontmatter('--- \nname: a\n---\t\nb')).toEqual({
      data,
      yaml: 'name: a\n',
      body: 'b',
      bodyLine: 4,
      problems: [
        { kind: 'repaired', message, line: 1 },
        { kind: 'repaired', message, line: 3 },
      ],
    });
  });
});

describe('no frontmatter', () => {
  const unclosed = "the frontmatter is never closed: no later line is exactly '---'";
  test.each<[string, FrontmatterProblem['kind'], string]>([
    ['', 'missing', 'the file is empty'],
    [' \n\n', 'missing', 'the file is empty'],
    ['# Title\n', 'missing', "no frontmatter: the first line must be exactly '---'"],
    ['x'.repeat(1 << 20), 'missing', "no frontmatter: the first line must be exactly '---'"],
    ['PK\u0003\u0004\u0000\u0000', 'missing', 'the file is not UTF-8 text'],
    [
      '---js\nmodule.exports = {}\n---\n',
      'missing',
      "no frontmatter: '---js' names another language; use YAML after a plain '---'",
    ],
    ['----\nname: a\n----\n', 'missing', "no frontmatter: the first line must be exactly '---', not '----'"],
    [
      '\n---\nname: a\n---\n',
      'missing',
      "no frontmatter: '---' must be the very first line, with nothing before it",
    ],
    ['---', 'unterminated', unclosed],
    ['---\nname: a\n', 'unterminated', unclosed],
    ['---\nname: a\n ---\n', 'unterminated', unclosed],
  ])('%j', (text, kind, message) => {
    expect(readFrontmatter(text)).toEqual({
      data: undefined,
      yaml: '',
      body: text,
      bodyLine: 1,
      problems: [{ kind, message, line: 1 }],
    });
  });
});

describe('values', () => {
  test.each<[string, unknown]>([
    ['name: yes', { name: 'yes' }],
    ['flag: on', { flag: 'on' }],
    ['flag: True', { flag: true }],
    ['date: 2024-01-01', { date: '2024-01-01' }],
    ['version: 1.0', { version: '1.0' }],
    ['version: 1.10', { version: '1.10' }],
    ['name: 007', { name: '007' }],
    ['license: null', { license: null }],
    ['license:', { license: null }],
    ['count: 0x1f', { count: 31 }],
    ['count: !!str 5', { count: '5' }],
    ['1.0: x', { '1.0': 'x' }],
    ['argument-hint: [file]', { 'argument-hint': '[file]' }],
    ['argument-hint: [optional: date] # said so', { 'argument-hint': '[optional: date]' }],
    ['tags: [a, b]', { tags: ['a', 'b'] }],
    ['description: >\n  one\n  two\n\n  three', { description: 'one two\nthree\n' }],
    ['description: |-\n  one: 1\n  # two', { description: 'one: 1\n# two' }],
    ['metadata:\n  name: inner\nname: outer', { metadata: { name: 'inner' }, name: 'outer' }],
    ['name: outer\nmetadata:\n  name: inner', { name: 'outer', metadata: { name: 'inner' } }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['constructor: x\ntoString: y', { constructor: 'x', toString: 'y' }],
    ['{name: a, description: "b: c"}', { name: 'a', description: 'b: c' }],
  ])('%j', (yaml, expected) => {
    const { data, problems } = readFrontmatter(`---\n${yaml}\n---\n`);
    expect({ data, problems }).toEqual({ data: expected, problems: [] });
  });

  test('numbers in metadata stay numbers and remember how they were written', () => {
    const { data } = readFrontmatter('---\nmetadata:\n  version: 1.10\n  list: [2.0, x]\n---\n');
    const metadata = data?.metadata as Record<string, object>;
    expect(metadata).toEqual({ version: 1.1, list: [2, 'x'] });
    expect(writtenText(metadata, 'version')).toBe('1.10');
    expect(writtenText(metadata.list!, 0)).toBe('2.0');
  });
});

describe('unreadable', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi']) {
    bomb.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(', ')}]`);
  }
  test.each<[string, string, FrontmatterProblem]>([
    [
      'a list',
      '- a\n- b',
      {
        kind: 'not-a-mapping',
        message: "the frontmatter must be a mapping of fields ('name: …'), not a list",
        line: 2,
      },
    ],
    [
      'a scalar',
      'hello',
      {
        kind: 'not-a-mapping',
        message: "the frontmatter must be a mapping of fields ('name: …'), not plain text",
        line: 2,
      },
    ],
    [
      'a JavaScript tag',
      'a: 1\nf: !!js/function "x"',
      { kind: 'yaml', message: 'unknown tag !!js/function', line: 3 },
    ],
    ['a tagged key', '!!js/regexp x: 1', { kind: 'yaml', message: 'unknown tag !!js/regexp', line: 2 }],
    ['a tagged mapping', 'm: !!set {a}', { kind: 'yaml', message: 'unknown tag !!set', line: 2 }],
    [
      'an alias bomb',
      bomb.join('\n'),
      { kind: 'yaml', message: 'the aliases expand to too much text', line: 7 },
    ],
    [
      'many aliases',
      `a: &a x\nb: [${'*a, '.repeat(101)}]`,
      { kind: 'yaml', message: 'more than 100 aliases', line: 3 },
    ],
    ['a cycle', 'a: &a\n  b: *a', { kind: 'yaml', message: 'the alias *a contains itself', line: 3 }],
    [
      'deep nesting',
      `a: ${'['.repeat(100)}${']'.repeat(100)}`,
      { kind: 'yaml', message: 'nesting exceeded maxDepth (64)', line: 2 },
    ],
    [
      'deep nesting by aliases',
      `a: &a ${'['.repeat(40)}${']'.repeat(40)}\nb: ${'['.repeat(40)}*a${']'.repeat(40)}`,
      { kind: 'yaml', message: 'the aliases nest too deeply', line: 3 },
    ],
    [
      'NUL',
      'name: a\ndescription: b\0c',
      { kind: 'yaml', message: 'null byte is not allowed in input', line: 3 },
    ],
    ['a key that is a list', '? [a]\n: b', { kind: 'yaml', message: 'a key must be plain text', line: 2 }],
    ['two documents', 'a: 1\n...\nb: 2', { kind: 'yaml', message: 'more than one YAML document', line: 5 }],
  ])('%s', (_, yaml, problem) => {
    const { data, problems, body } = readFrontmatter(`---\n${yaml}\n---\nbody`);
    expect({ data, problems, body }).toEqual({ data: undefined, problems: [problem], body: 'body' });
  });

  test('oversized frontmatter is not parsed', () => {
    const yaml = `a: ${'x'.repeat(FRONTMATTER_LIMIT)}\n`;
    const { data, problems } = readFrontmatter(`---\n${yaml}---\n`);
    expect({ data, problems }).toEqual({
      data: undefined,
      problems: [
        {
          kind: 'too-large',
          message: `the frontmatter has ${yaml.length} characters; at most 262144 are read`,
          line: 1,
        },
      ],
    });
  });
});

describe('keys', () => {
  test('reports a duplicate at its line; the last value counts', () => {
    const { data, problems } = readFrontmatter('---\nname: a\nname: b\nmetadata:\n  x: 1.0\n  x: 1\n---\n');
    expect(data).toEqual({ name: 'b', metadata: { x: 1 } });
    expect(writtenText(data!.metadata as object, 'x')).toBe('1');
    expect(problems).toEqual([
      { kind: 'duplicate-key', message: "the key 'name' appears twice; the last one counts", line: 3 },
      { kind: 'duplicate-key', message: "the key 'x' appears twice; the last one counts", line: 6 },
    ]);
  });

  test('__proto__ is left out and changes no prototype', () => {
    const { data, problems } = readFrontmatter('---\n__proto__:\n  polluted: yes\nname: a\n---\n');
    expect(data).toEqual({ name: 'a' });
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(problems).toEqual([
      { kind: 'dropped-key', message: "the key '__proto__' is not allowed and was dropped", line: 2 },
    ]);
  });

  test('reports at most fifty of thousands of duplicates', () => {
    expect(readFrontmatter(`---\n${'a: 1\n'.repeat(5000)}---\n`).problems).toHaveLength(50);
  });
});
