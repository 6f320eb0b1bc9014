import { expect, test } from 'vitest';
import type { FormatIssue } from './format-issue.ts';
import { Toolsets } from './toolsets.ts';
import { checkTriggers, Triggers } from './triggers.ts';

test('lists or texts', () => {
  expect(
    Triggers.parse({ keywords: 'hello, good day', verbs: ['say'], patterns: 'greet\\s+\\w{1,5}' }),
  ).toEqual({
    keywords: ['hello', 'good day'],
    verbs: ['say'],
    patterns: ['greet\\s+\\w{1,5}'],
  });
  expect(Triggers.parse({})).toEqual({ keywords: [], verbs: [], patterns: [] });
  expect(Triggers.parse(['hello', 'good day'])).toEqual({
    keywords: ['hello', 'good day'],
    verbs: [],
    patterns: [],
  });
  expect(Triggers.parse('hello, good day')).toEqual({
    keywords: ['hello', 'good day'],
    verbs: [],
    patterns: [],
  });
});

test.each([
  'greet\\s+\\w+',
  '(?i)hello',
  '(?i:hello) x',
  '(?P<name>a)b',
  '\\(?=',
  '[[:alpha:]]+',
  '\\bpdf\\b',
  'a\\\\1',
])('accepts the pattern %j', (pattern) => {
  expect(checkTriggers({ patterns: [pattern] })).toEqual([]);
});

type Fault = [FormatIssue['kind'], string, string];

test.each<[unknown, Fault[]]>([
  [null, [['type', 'triggers', 'triggers must be a mapping, not nothing']]],
  [7, [['type', 'triggers', 'triggers must be a mapping, not the number 7']]],
  [['a', 'b c'], []],
  ['a, b c', []],
  [[], []],
  [['a', { b: 1 }], [['type', 'triggers.1', 'triggers[1] must be text, not a mapping']]],
  [['a', ' '], [['empty', 'triggers.1', 'triggers[1] must not be empty']]],
  [' ', [['type', 'triggers', 'triggers must be a mapping, not the text " "']]],
  [
    { keywords: {} },
    [['type', 'triggers.keywords', 'keywords must be a list or one text with commas, not a mapping']],
  ],
  [{ verbs: ['a', null] }, [['type', 'triggers.verbs.1', 'verbs[1] must be text, not nothing']]],
  [{ verbs: ['a', ' '] }, [['empty', 'triggers.verbs.1', 'verbs[1] must not be empty']]],
  [{ keyword: 'a' }, [['unknown', 'triggers.keyword', "unknown key 'keyword' in triggers"]]],
  [
    { patterns: ['ok', 'greet('] },
    [['format', 'triggers.patterns.1', 'patterns[1] must be a valid regular expression']],
  ],
  [{ patterns: [''] }, [['format', 'triggers.patterns.0', 'patterns[0] must not be empty']]],
  [
    { patterns: ['ok', 'a(?=b)'] },
    [
      [
        'format',
        'triggers.patterns.1',
        'patterns[1] must not use look-around, which patterns do not support',
      ],
    ],
  ],
  [
    { patterns: '(a)\\1' },
    [
      [
        'format',
        'triggers.patterns.0',
        'patterns[0] must not use back-references, which patterns do not support',
      ],
    ],
  ],
  [
    { patterns: ['x'.repeat(1001)] },
    [['format', 'triggers.patterns.0', 'patterns[0] may have at most 1000 characters']],
  ],
])('%j', (value, expected) => {
  expect(checkTriggers(value).map((issue) => [issue.kind, issue.path.join('.'), issue.message])).toEqual(
    expected,
  );
});

test.each<[unknown, boolean]>([
  [['toolsets/index:MyToolset'], true],
  ['toolsets/index.ts:_tools', true],
  [['toolsets/index'], false],
  [['../x:Y'], false],
  [['/etc/x:Y'], false],
  [['a\\b:Y'], false],
  [['a:b:c'], false],
  [['a:not-a-name'], false],
  [{ a: 1 }, false],
])('toolsets %j', (value, valid) => {
  expect(Toolsets.safeParse(value).success).toBe(valid);
});
