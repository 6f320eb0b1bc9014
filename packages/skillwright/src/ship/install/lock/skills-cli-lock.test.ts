import { expect, test } from 'vitest';
import { makeDirectory } from '../../../../test/make-directory.ts';
import { sha256 } from '../../../base/files/hash.ts';
import { readSkillsCliLock, skillsCliHash, sourceOfEntry } from './skills-cli-lock.ts';

test('the hash covers paths and bytes, sorted by locale, without separators', () => {
  const dir = makeDirectory({
    'SKILL.md': 'skill',
    'b.md': 'b',
    'A.md': 'a',
    'sub/c.md': 'c',
    '.hidden': 'h',
    '.git/config': 'left out',
    'node_modules/x/index.js': 'left out',
    link: { link: 'b.md' },
  });
  expect(skillsCliHash(dir)).toBe(sha256('.hiddenhA.mdab.mdbSKILL.mdskillsub/c.mdc'));
});

test.each([
  [{ source: 'o/r', sourceType: 'github' }, 'o/r'],
  [{ source: 'o/r', sourceType: 'github', ref: 'v1' }, 'o/r@v1'],
  [{ source: 'https://example.com/r.git', sourceType: 'git', ref: 'v1' }, 'https://example.com/r.git#v1'],
  [{ source: 'some-package', sourceType: 'node_modules' }, './node_modules/some-package'],
  [{ source: 'skills', sourceType: 'local' }, './skills'],
  [{ source: './skills', sourceType: 'local' }, './skills'],
  [{ source: 'https://example.com', sourceType: 'well-known' }, 'https://example.com'],
])('%j is %s', (entry, expected) => {
  expect(sourceOfEntry({ ...entry, computedHash: '' })).toBe(expected);
});

test.each([
  ['not JSON', '{', 'it is not JSON'],
  ['an unresolved merge', '<<<<<<< a\n{}\n=======\n', 'it has merge conflict markers'],
])('%s', (_, text, why) => {
  const dir = makeDirectory({ 'skills-lock.json': text });
  expect(() => readSkillsCliLock(dir)).toThrow(why);
});
