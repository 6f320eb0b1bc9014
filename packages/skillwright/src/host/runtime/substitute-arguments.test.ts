import { describe, expect, test } from 'vitest';
import {
  quoteArgument,
  type Substitutions,
  splitArguments,
  substituteArguments,
} from './substitute-arguments.ts';

const fill = (body: string, args: Substitutions['args'], others: Omit<Substitutions, 'args'> = {}) =>
  substituteArguments(body, { args, ...others })
    .pieces.map((piece) => (typeof piece === 'string' ? piece : piece.written))
    .join('');

describe('arguments are split as a shell splits them', () => {
  test.each([
    ['', []],
    ['  ', []],
    ['a b  c', ['a', 'b', 'c']],
    ['"a b" c', ['a b', 'c']],
    ["'a b' c", ['a b', 'c']],
    ['a"b c"d', ['ab cd']],
    ['a\\ b c', ['a b', 'c']],
    ['"a \\"b\\" \\n"', ['a "b" \\n']],
    ["'a \\ b'", ['a \\ b']],
    ['""', ['']],
    ["don't", ["don't"]],
    ['"never closed', ['"never', 'closed']],
    ['a\nb\tc', ['a', 'b', 'c']],
    ['ends\\', ['ends\\']],
  ])('%j', (line, words) => {
    expect(splitArguments(line)).toEqual(words);
  });

  test.each(['a', 'a b', "it's", '$(rm -rf /)', '', '`x`', '"'])('%j survives quoting', (word) => {
    expect(splitArguments(quoteArgument(word))).toEqual([word]);
  });
});

describe('placeholders', () => {
  test.each([
    ['all', 'Fix $ARGUMENTS now', 'a "b c"', 'Fix a "b c" now'],
    ['one', 'Fix $ARGUMENTS[1]', 'a "b c"', 'Fix b c'],
    ['short', '$0 then $1', 'a "b c"', 'a then b c'],
    ['from 0', '$0', 'first second', 'first'],
    ['two digits', '$10', '0 1 2 3 4 5 6 7 8 9 ten', 'ten'],
    ['missing', '$0 $1 $ARGUMENTS[5]', 'a', 'a $1 $ARGUMENTS[5]'],
    ['none given', 'x $ARGUMENTS y $0', '', 'x  y $0'],
    ['escaped', '\\$0 \\$ARGUMENTS \\$ARGUMENTS[0] $0', 'a', '$0 $ARGUMENTS $ARGUMENTS[0] a'],
    ['part of a word', '$0abc $ARGUMENTS_X $$0', 'a', '$0abc $ARGUMENTS_X $$0\n\nARGUMENTS: a'],
    ['beside punctuation', 'x_$0.txt ($1)', 'a b', 'x_a.txt (b)'],
    ['not read again', '$0', '"$1 $ARGUMENTS" b', '$1 $ARGUMENTS'],
    ['not read again, all', '$ARGUMENTS', `$0 \\$1 \${CLAUDE_SKILL_DIR}`, `$0 \\$1 \${CLAUDE_SKILL_DIR}`],
    ['with a replacement pattern', '$0', "'$&$1'", '$&$1'],
  ])('%s', (_, body, args, expected) => {
    expect(fill(body, args, { variables: { CLAUDE_SKILL_DIR: '/skill' } })).toBe(expected);
  });

  test('arguments the body does not use are appended', () => {
    expect(fill('Body.', 'a b')).toBe('Body.\n\nARGUMENTS: a b');
    expect(fill('Body.', ['a', 'b c'])).toBe("Body.\n\nARGUMENTS: a 'b c'");
    expect(fill('Body.', ' ')).toBe('Body.');
    expect(fill('Body \\$0.', 'a')).toBe('Body $0.\n\nARGUMENTS: a');
  });

  test('named arguments: missing ones are empty, longer names win', () => {
    const names = ['issue', 'issue-number', 'branch'];
    expect(fill('$issue/$issue-number/$branch/$other', '1 2', { names })).toBe('1/2//$other');
    expect(fill('\\$issue $issues $issue-x', '1', { names })).toBe('$issue $issues 1-x');
    expect(fill('$ARGUMENTS $(x)', 'a b', { names: ['ARGUMENTS', '(x)', 'a|b'] })).toBe('a b $(x)');
  });

  test('variables without a value stay', () => {
    const variables = { CLAUDE_SESSION_ID: 's1', CLAUDE_SKILL_DIR: '/a b', CLAUDE_EFFORT: undefined };
    expect(
      fill(
        `\${CLAUDE_SESSION_ID} \${CLAUDE_SKILL_DIR} \${CLAUDE_EFFORT} \${HOME} \\\${CLAUDE_SESSION_ID}`,
        '',
        {
          variables,
        },
      ),
    ).toBe(`s1 /a b \${CLAUDE_EFFORT} \${HOME} \${CLAUDE_SESSION_ID}`);
  });
});

describe('commands', () => {
  const commandsIn = (body: string, args: Substitutions['args'] = '') =>
    substituteArguments(body, { args }).pieces.filter((piece) => typeof piece !== 'string');

  const plain = { env: {}, literal: [], refused: null };

  test('inline and fenced, with their lines', () => {
    expect(commandsIn('Now: !`git status`\n\n```!\nnpm test\nnpm run x\n```\nend\n!`date`')).toEqual([
      { ...plain, source: 'git status', command: 'git status', written: '!`git status`', line: 1 },
      {
        ...plain,
        source: 'npm test\nnpm run x',
        command: 'npm test\nnpm run x',
        written: '```!\nnpm test\nnpm run x\n```',
        line: 3,
      },
      { ...plain, source: 'date', command: 'date', written: '!`date`', line: 8 },
    ]);
  });

  test('none inside a word, unclosed, or inserted by an argument', () => {
    expect(commandsIn('a!`x` !`open\n```!\nnever closed')).toEqual([]);
    expect(commandsIn('$ARGUMENTS\n$0', '!`rm`')).toEqual([]);
  });

  test('an argument of a command becomes a variable, and the text does not change', () => {
    expect(commandsIn('!`gh issue view $0 $ARGUMENTS`', ['1; rm -rf ~', 'b'])).toEqual([
      {
        source: 'gh issue view $0 $ARGUMENTS',
        command: `gh issue view "\${SKC_ARGUMENT_0}" "\${SKC_ARGUMENT_0}" "\${SKC_ARGUMENT_1}"`,
        env: { SKC_ARGUMENT_0: '1; rm -rf ~', SKC_ARGUMENT_1: 'b' },
        written: '!`gh issue view $0 $ARGUMENTS`',
        line: 1,
        literal: [],
        refused: null,
      },
    ]);
  });

  test('many unclosed fences take linear time', () => {
    expect(commandsIn('```!\n'.repeat(100_000))).toEqual([]);
  });
});
