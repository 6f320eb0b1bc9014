import { expect, test } from 'vitest';
import { readFrontmatter } from './frontmatter.ts';
import { writeFrontmatter } from './write-frontmatter.ts';

test('plain fields in their own order, long lines not folded', () => {
  const description = 'word '.repeat(60).trim();
  expect(
    writeFrontmatter({ name: 'x', description, 'allowed-tools': 'Bash(git:*) Read', tags: ['a', 'b'] }),
  ).toBe(
    `---\nname: x\ndescription: ${description}\nallowed-tools: Bash(git:*) Read\ntags:\n  - a\n  - b\n---\n`,
  );
});

test('nothing to write', () => {
  expect(writeFrontmatter({})).toBe('---\n---\n');
  expect(writeFrontmatter({ a: undefined, b: () => 1 })).toBe('---\n---\n');
});

test.each([
  '',
  ' ',
  ' leading and trailing ',
  'a: b',
  'a # b',
  '# a',
  '---',
  'a\n---\nb',
  '\n---\n',
  '---\n',
  '...',
  '"quoted"',
  "it's",
  'say "hi": now',
  'back\\slash',
  '@at `tick` %percent',
  '[a',
  '{a',
  '- a',
  '? a',
  '| a',
  '> a',
  '& a',
  '* a',
  '! a',
  '*a',
  '&a',
  '!a',
  'true',
  'yes',
  'NO',
  'null',
  '~',
  '1',
  '1.10',
  '0x1f',
  '1e3',
  '.inf',
  '2024-01-01',
  '12:30:45',
  '<<',
  '=',
  'tab\tinside',
  '\tleading tab',
  'line\nbreak',
  'trailing break\n',
  '\nleading break',
  'two\n\n\nbreaks\n\n',
  '  indented\nfirst line',
  'carriage\rreturn',
  'both\r\nof them',
  'trailing space \nbefore break',
  'nul \0 bell \u0007 escape \u001b delete \u007f',
  'next line \u0085',
  'nbsp \u00a0',
  'separators \u2028 \u2029',
  'bom \ufeff',
  'nonchar \ufffe',
  'emoji 😀 family 👨‍👩‍👧',
  '日本語',
  'é',
  'x'.repeat(5000),
])('reads back %j', (value) => {
  const data = { before: value, list: [value, [value]], map: { [value]: value }, after: value };
  const { data: read, body, problems } = readFrontmatter(`${writeFrontmatter(data)}body`);
  expect({ read, body, problems }).toEqual({ read: data, body: 'body', problems: [] });
});

test.each([0, -1, 1.5, 1e21, 1e-7, true, false, null, [], {}, [[]], [{}]])(
  'reads back %j unchanged',
  (value) => {
    expect(readFrontmatter(writeFrontmatter({ x: value, y: [value] })).data).toEqual({
      x: value,
      y: [value],
    });
  },
);

test('values YAML cannot express', () => {
  const shared = { a: 1 };
  const date = new Date(0);
  const data = {
    half: 'a\ud800b',
    big: 10n,
    date,
    gone: undefined,
    list: [undefined],
    one: shared,
    two: shared,
  };
  expect(readFrontmatter(writeFrontmatter(data)).data).toEqual({
    half: 'a\ufffdb',
    big: '10',
    date: '1970-01-01T00:00:00.000Z',
    list: [null],
    one: { a: 1 },
    two: { a: 1 },
  });
});
