import { describe, expect, test } from 'vitest';
import { readFrontmatter } from './frontmatter.ts';

const quotes = (field: string, reason = 'bad indentation of a mapping entry') =>
  `not valid YAML (${reason}) but read anyway; put quotes around the value of '${field}'`;

describe('damage that is repaired', () => {
  test.each<[string, string, unknown, string, number]>([
    ['a colon', 'name: x\ndescription: Use when: asked', 'Use when: asked', quotes('description'), 3],
    ['an at sign', 'description: @team only\nname: x', '@team only', quotes('description'), 2],
    ['a backtick', 'name: x\ndescription: `skc` first', '`skc` first', quotes('description'), 3],
    ['a per cent sign', 'name: x\ndescription: %d items', '%d items', quotes('description'), 3],
    ['brackets', 'name: x\ndescription: [beta] does it', '[beta] does it', quotes('description'), 3],
    [
      'an open bracket',
      'name: x\ndescription: [beta',
      '[beta',
      quotes('description', 'deficient indentation'),
      4,
    ],
    ['braces', 'name: x\ndescription: {a} then b: c', '{a} then b: c', quotes('description'), 3],
    [
      'quotes within quotes',
      'name: x\ndescription: "Say "hi" now"',
      'Say "hi" now',
      quotes('description'),
      3,
    ],
    ['an apostrophe', "name: x\ndescription: 'It's fine'", "It's fine", quotes('description'), 3],
    ['emphasis', 'name: x\ndescription: *Very* good', '*Very* good', quotes('description'), 3],
    [
      'an exclamation',
      'name: x\ndescription: !note it',
      '!note it',
      quotes('description', 'unknown tag !note'),
      3,
    ],
    [
      'several lines',
      'name: x\ndescription: One\n  two: three\n  four',
      'One two: three four',
      quotes('description'),
      4,
    ],
    ['a hash', 'name: x\ndescription: a: b #1', 'a: b #1', quotes('description'), 3],
    ['a comment after it', 'name: x\ndescription: a: b\n# note', 'a: b', quotes('description'), 3],
    [
      'a control character',
      'name: x\ndescription: ring \u0007 twice',
      'ring \u0007 twice',
      quotes('description', 'the stream contains non-printable characters'),
      3,
    ],
    [
      'half a surrogate pair',
      'name: x\ndescription: odd \ud800 text',
      'odd \ufffd text',
      quotes('description', 'the stream contains non-printable characters'),
      3,
    ],
    [
      'a literal text that is not indented',
      'description: |\nOne\nTwo\nname: x',
      'One\nTwo',
      quotes('description', 'can not read a block mapping entry; a multiline key may not be an implicit key'),
      5,
    ],
  ])('%s', (_, yaml, description, message, line) => {
    const { data, problems } = readFrontmatter(`---\n${yaml}\n---\n`);
    expect({ data, problems }).toEqual({
      data: { name: 'x', description },
      problems: [{ kind: 'repaired', message, line }],
    });
  });

  test('nested values and lists, but no block scalars', () => {
    const yaml = 'metadata:\n  author: @me\n  tags:\n    - `a`\n    - b\n  text: |\n    x: y: z\nname: x\n';
    const { data, problems } = readFrontmatter(`---\n${yaml}---\n`);
    expect({ data, problems }).toEqual({
      data: { metadata: { author: '@me', tags: ['`a`', 'b'], text: 'x: y: z\n' }, name: 'x' },
      problems: [{ kind: 'repaired', message: quotes('metadata'), line: 3 }],
    });
  });

  test('tabs', () => {
    const { data, problems } = readFrontmatter('---\nname: x\nmetadata:\n\tauthor: me\n---\n');
    expect({ data, problems }).toEqual({
      data: { name: 'x', metadata: { author: 'me' } },
      problems: [
        {
          kind: 'repaired',
          message:
            'not valid YAML (tab characters must not be used in indentation) but read anyway; indent with spaces, not tabs',
          line: 4,
        },
      ],
    });
  });

  test('keeps valid fields unchanged, anchors included', () => {
    const { data } = readFrontmatter('---\na: &x [1]\nb: *x\nc: "q: r"\nd: @bad\n---\n');
    expect(data).toEqual({ a: [1], b: [1], c: 'q: r', d: '@bad' });
  });
});

describe('damage that is not repaired', () => {
  test.each<[string, string, number]>([
    [
      'a missing fence, which would make the body a value',
      'name: x\ndescription: a: b\n\n# Title\n\nText',
      3,
    ],
    ['a forbidden tag next to a missing quote', 'a: @x\nb: !!js/function "y"', 2],
    ['an unknown line before the first field', '@x\nname: y', 2],
  ])('%s', (_, yaml, line) => {
    const { data, problems } = readFrontmatter(`---\n${yaml}\n---\n`);
    expect(data).toBeUndefined();
    expect(problems.map((problem) => [problem.kind, problem.line])).toEqual([['yaml', line]]);
  });
});
