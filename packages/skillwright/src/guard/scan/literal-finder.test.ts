import { expect, test } from 'vitest';
import { createLiteralFinder } from './literal-finder.ts';

const found = (literals: string[], text: string) =>
  [...createLiteralFinder(literals).find(text)]
    .flatMap(([number, places]) =>
      places.map((place) => `${literals[number]}@${place - literals[number]!.length}`),
    )
    .sort();

test.each<[string, string[], string, string[]]>([
  ['none', ['curl'], 'nothing', []],
  ['one', ['curl'], 'a curl b', ['curl@2']],
  ['in any case', ['curl'], 'CURL Curl', ['curl@0', 'curl@5']],
  ['one inside another', ['he', 'she', 'hers'], 'ushers', ['he@2', 'hers@2', 'she@1']],
  ['overlapping itself', ['aa'], 'aaaa', ['aa@0', 'aa@1', 'aa@2']],
  ['after a false start', ['abcd', 'bce'], 'abce', ['bce@1']],
  ['next to other letters', ['ab'], 'aбab', ['ab@2']],
  ['punctuation and line ends', ['\nnc ', '$('], '\nnc $(x)', ['\nnc @0', '$(@4']],
])('%s', (_, literals, text, expected) => {
  expect(found(literals, text)).toEqual(expected.sort());
});

test('finds the same as a search for each word alone', () => {
  const words = ['a', 'ab', 'bab', 'bc', 'bca', 'c', 'caa'];
  let seed = 1;
  const text = Array.from({ length: 2000 }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return 'abc'[seed % 3];
  }).join('');
  const expected = words.flatMap((word) =>
    [...text.matchAll(new RegExp(`(?=${word})`, 'g'))].map(({ index }) => `${word}@${index}`),
  );
  expect(found(words, text)).toEqual(expected.sort());
});
