import { describe, expect, test } from 'vitest';
import { editDistance, suggest } from './suggest.ts';

describe('editDistance', () => {
  test.each([
    ['', '', 3, 0],
    ['abc', 'abc', 3, 0],
    ['', 'abc', 3, 3],
    ['abc', '', 3, 3],
    ['abc', 'abd', 3, 1],
    ['abc', 'ab', 3, 1],
    ['lnit', 'lint', 3, 1],
    ['ca', 'abc', 3, 3],
    ['kitten', 'sitting', 3, 3],
    ['kitten', 'sitting', 2, 3],
    ['abc', 'xyz', 1, 2],
    ['a', 'abcdef', 2, 3],
    ['abcdefgh', 'zzzzzzzz', 2, 3],
  ])('%j to %j within %i is %i', (a, b, limit, distance) => {
    expect(editDistance(a, b, limit)).toBe(distance);
    expect(editDistance(b, a, limit)).toBe(distance);
  });
});

describe('suggest', () => {
  const commands = ['init', 'lint', 'validate', 'explain', 'config', 'completion', 'version'];

  test.each([
    ['lnit', ['init', 'lint']],
    ['lin', ['lint']],
    ['LINT', ['lint']],
    ['valdate', ['validate']],
    ['com', ['completion']],
    ['co', ['completion', 'config']],
    ['onfi', ['config']],
    ['', []],
    ['x', []],
    ['deploy', []],
    ['l', []],
    ['constructor', []],
  ])('%j among the commands: %j', (word, found) => {
    expect(suggest(word, commands)).toEqual(found);
  });

  test('gives the nearest first, each once, and no more than asked for', () => {
    expect(suggest('pdf', ['pdg', 'pdf-forms', 'PDF', 'my-pdf-tool', 'pdf-forms'], 10)).toEqual([
      'PDF',
      'pdf-forms',
      'pdg',
      'my-pdf-tool',
    ]);
    expect(suggest('pdf', ['pdg', 'pdf-forms', 'PDF', 'my-pdf-tool'])).toEqual(['PDF', 'pdf-forms', 'pdg']);
    expect(suggest('pdf', ['pdg', 'pdf-forms'], 1)).toEqual(['pdf-forms']);
  });

  test('does not care about the order of the candidates', () => {
    const words = ['ab1', 'ab2', 'ab3'];
    expect(suggest('ab', words)).toEqual(suggest('ab', words.toReversed()));
  });
});
