import { describe, expect, test } from 'vitest';
import { createMentionReader } from './file-mentions.ts';
import { createFileNames } from './file-names.ts';

function mentions(files: readonly string[], text: string, form: 'prose' | 'code' = 'prose'): string[] {
  return [...createMentionReader(createFileNames(files)).read(text, form)].sort();
}

const guide = 'references/guide.md';
const tool = 'scripts/tool.py';

describe('in prose', () => {
  test.each([
    ['a path', 'Read `references/guide.md`.', [guide]],
    ['a path at the end of a sentence', 'Read references/guide.md.', [guide]],
    ['a path that starts with a dot', 'Read ./references/guide.md', [guide]],
    ['a path that starts with the skill', 'Read my-skill/references/guide.md', [guide]],
    ['a path after a variable', 'Run $SKILL_DIR/scripts/tool.py', [tool]],
    ['a path with backslashes', 'Run scripts\\tool.py', [tool]],
    ['a path in another case', 'Read References/GUIDE.md', [guide]],
    ['a path inside unspaced text', '请阅读references/guide.md了解', [guide]],
    ['a file name', 'Read guide.md', [guide]],
    ['a file name after an at sign', 'Read @guide.md', [guide]],
    ['a path without its extension', 'Read references/guide', [guide]],
    ['a dotted module', 'Run `python -m scripts.tool`', [tool]],
    ['an imported module', 'Write `import tool`', [tool]],
    ['a directory with a slash', 'See `references/` for more', [guide]],
    ['a directory by name', 'See the **references** directory', [guide]],
    ['a glob', 'See references/*.md', [guide]],
    ['a word', 'This tool is a guide to many references.', []],
    ['another file', 'Read guide.txt and tools/tool.js', []],
  ])('%s', (_, text, expected) => {
    expect(mentions([guide, tool], text)).toEqual(expected);
  });

  test('a compound is a name in backticks, and a word elsewhere', () => {
    expect(mentions(['rules/early-exit.md'], 'Use `early-exit`')).toEqual(['rules/early-exit.md']);
    expect(mentions(['rules/early-exit.md'], 'Use an early-exit')).toEqual([]);
  });

  test('a path decides between files of one name', () => {
    const files = ['a/index.md', 'b/index.md'];
    expect(mentions(files, 'Read a/index.md')).toEqual(['a/index.md']);
    expect(mentions(files, 'Read index.md')).toEqual(files);
  });

  test.each(['step-*.md', 'step-<n>.md', 'step-{n}.md', 'step-[n].md'])('%s means all steps', (pattern) => {
    expect(mentions(['steps/step-1.md', 'steps/step-2.md', 'steps/step-2.txt', 'stop.md'], pattern)).toEqual([
      'steps/step-1.md',
      'steps/step-2.md',
    ]);
  });

  test('bold words are not patterns', () => {
    expect(mentions(['references/component-list.md'], '**component**.list')).toEqual([]);
  });

  test('names with spaces and letters of other scripts', () => {
    const files = ['assets/My Plan (1).md', 'assets/需求.md', 'モデル/a.md'];
    expect(mentions(files, 'Copy `my plan (1).md`.')).toEqual(['assets/My Plan (1).md']);
    expect(mentions(files, '使用需求.md。')).toEqual(['assets/需求.md']);
    expect(mentions(files, 'モデル/を見る')).toEqual(['モデル/a.md']);
    expect(mentions(files, 'Plan (1).md')).toEqual([]);
  });
});

describe('in code', () => {
  const files = ['scripts/lib/parse.ts', 'scripts/schemas/a.xsd', 'scripts/util.py'];
  test.each([
    ["import { parse } from './lib/parse.js';", ['scripts/lib/parse.ts']],
    ['from util import run', ['scripts/util.py']],
    ['SCHEMAS = HERE / "schemas"', ['scripts/schemas/a.xsd']],
    ['. ./util.sh', []],
  ])('%s', (text, expected) => {
    expect(mentions(files, text, 'code')).toEqual(expected);
  });
});

test('a file, and the files below a directory', () => {
  const names = createFileNames(['a/b/c.md', 'a/b.md', 'a/bc.md', 'a/b0.md']);
  expect([names.below('a/b'), names.below('a/b.md'), names.below('a/x')]).toEqual([
    ['a/b/c.md'],
    ['a/b.md'],
    [],
  ]);
});
