import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { lineOfConfigKey, outlineToml } from './locate-key.ts';

const text = `# [comment] a = 1
top = 1
"quo=ted" = 'a # b'
dotted . "inner" . 'x' = true

[lint] # [not.a.table]
profile = "strict" # why
rules.SKL101 = "off"
text = """
[lie]
a = 1 \\""" still
"""""
literal = '''
[lie]
'''
list = [
  1, # ] }
  "]", '''
[lie]''',
  { a = 1,
    b = [ 2 ] },
]
  inline = { x = 1, "y.z" = { deep = [ "}" ] } }
date = 1979-05-27 07:32:00 # when

[[permissions.deny]]
tool = "a"

[[permissions.deny]]
tool = "b"
[permissions.deny.more]
x = 1

[ a . "b" ]
c=1`;

describe('lineOfConfigKey', () => {
  test.each([
    ['top', 2],
    ['quo=ted', 3],
    ['dotted.inner.x', 4],
    ['dotted.inner', 4],
    ['lint', 6],
    ['lint.profile', 7],
    ['lint.rules.SKL101', 8],
    ['lint.rules.SKL999', 8],
    ['lint.text', 9],
    ['lint.literal', 13],
    ['lint.list', 16],
    ['lint.list.0', 17],
    ['lint.list.1', 18],
    ['lint.list.2', 18],
    ['lint.list.3', 20],
    ['lint.list.3.b', 21],
    ['lint.inline.x', 23],
    ['lint.inline.y.z.deep.0', 23],
    ['lint.date', 24],
    ['permissions', 26],
    ['permissions.deny', 26],
    ['permissions.deny.0.tool', 27],
    ['permissions.deny.1', 29],
    ['permissions.deny.1.tool', 30],
    ['permissions.deny.1.more.x', 32],
    ['a.b.c', 35],
    ['nowhere', 1],
    ['lie', 1],
    ['', 1],
  ])('%s is on line %i', (key, line) => {
    parse(text);
    expect(lineOfConfigKey(text, key)).toBe(line);
    expect(lineOfConfigKey(text.replaceAll('\n', '\r\n'), key)).toBe(line);
  });
});

describe('outlineToml', () => {
  test('returns the written value of every assignment, and nothing around it', () => {
    const { assignments } = outlineToml(text);
    const values = assignments.map(({ key, valueStart, valueEnd }) => [
      key,
      text.slice(valueStart, valueEnd),
    ]);
    expect(Object.fromEntries(values)).toEqual({
      top: '1',
      'quo=ted': "'a # b'",
      'dotted.inner.x': 'true',
      'lint.profile': '"strict"',
      'lint.rules.SKL101': '"off"',
      'lint.text': '"""\n[lie]\na = 1 \\""" still\n"""""',
      'lint.literal': "'''\n[lie]\n'''",
      'lint.list': "[\n  1, # ] }\n  \"]\", '''\n[lie]''',\n  { a = 1,\n    b = [ 2 ] },\n]",
      'lint.inline': '{ x = 1, "y.z" = { deep = [ "}" ] } }',
      'lint.date': '1979-05-27 07:32:00',
      'permissions.deny.0.tool': '"a"',
      'permissions.deny.1.tool': '"b"',
      'permissions.deny.1.more.x': '1',
      'a.b.c': '1',
    });
  });

  test('knows where tables end', () => {
    const short = '[a] # x\n\n[b]\nx = 1\n# end\n[c]';
    expect(outlineToml(short).tables).toEqual([
      { name: 'a', end: 3 },
      { name: 'b', end: 18 },
      { name: 'c', end: 28 },
    ]);
    expect(short.slice(18)).toBe('\n# end\n[c]');
  });

  test.each([
    '',
    '\n',
    '# only',
    '= ',
    'a',
    '[',
    '[[',
    ']',
    'a = ',
    'a = [',
    'a = {',
    'a = "',
    '"',
    '.',
    '\u0000',
  ])('ends on %j, valid or not', (broken) => {
    expect(outlineToml(broken).assignments.length).toBeLessThanOrEqual(2);
  });
});
