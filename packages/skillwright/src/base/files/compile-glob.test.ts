import { describe, expect, test } from 'vitest';
import { compileGlob } from './compile-glob.ts';

describe('compileGlob', () => {
  test.each([
    ['*.md', ['SKILL.md', 'references/a.md', '.hidden.md'], ['a.mdx', 'a.md/b']],
    ['b/**/*.md', ['b/one.md', 'b/c/three.md', 'b/c/d/e.md'], ['one.md', 'c/b/one.md', 'b/one.txt']],
    ['**/*.py', ['a.py', 'x/y/a.py'], ['a.pyc']],
    ['**', ['a', 'a/b/c'], []],
    ['scripts/**', ['scripts/a', 'scripts/x/y'], ['other/a', 'scripts']],
    ['a/*', ['a/b'], ['a/b/c', 'b/a']],
    ['a**b/c', ['ab/c', 'axxb/c'], ['a/b/c']],
    ['pdf-?', ['pdf-1'], ['pdf-', 'pdf-12']],
    ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
    ['[!a-c]x', ['dx'], ['ax']],
    ['[+-9]', ['+', '5'], ['/', 'a']],
    ['[!+-9]x', ['ax'], ['/x', '5x']],
    ['a[/]b', [], ['a/b']],
    ['[]x]', [']', 'x'], ['y']],
    ['*.{md,txt}', ['a.md', 'b.txt'], ['a.py']],
    ['{a,b{c,d}}/*', ['a/x', 'bc/x', 'bd/x'], ['b/x']],
    ['@(a|b).md', ['a.md', 'b.md'], ['c.md', 'ab.md']],
    ['+(ab)', ['ab', 'abab'], ['', 'aba']],
    ['x?(y)', ['x', 'xy'], ['xyy']],
    ['*(ab)c', ['c', 'ababc'], ['abac']],
    ['!*.md', ['a.py'], ['a.md', 'x/a.md']],
    ['\\*.md', ['*.md'], ['a.md']],
    ['🎉?', ['🎉🎉'], ['🎉']],
    ['a)', ['a)'], ['a']],
  ])('%s', async (pattern, yes, no) => {
    const matches = await compileGlob(pattern);
    expect({ yes: yes.filter(matches), no: no.filter(matches) }).toEqual({ yes, no: [] });
  });

  test.each([
    ['[a', 'a [ without ]'],
    ['{a,b', 'a { without }'],
    ['@(a', 'a ( without )'],
    ['a\\', 'a \\ at the end'],
    ['[z-a]', 'a range that goes down'],
    ['!(a)', '!(…) is not supported'],
    ['*'.repeat(257), 'more than 256 characters'],
  ])('%s is refused', async (pattern, why) => {
    await expect(compileGlob(pattern)).rejects.toThrow(`invalid pattern '${pattern}': ${why}`);
  });

  test('a pattern made to backtrack is answered at once', async () => {
    const name = `${'a'.repeat(200)}b`;
    expect((await compileGlob(`${'*a'.repeat(30)}c`))(name)).toBe(false);
    expect((await compileGlob(`${'*a'.repeat(30)}*b`))(name)).toBe(true);
    expect((await compileGlob(`${'+(a|aa)'.repeat(20)}c`))(name)).toBe(false);
    expect((await compileGlob(`${'{a,b}'.repeat(40)}`))('a'.repeat(40))).toBe(true);
    expect((await compileGlob(`${'**/'.repeat(60)}x`))('a/'.repeat(200))).toBe(false);
  });
});
