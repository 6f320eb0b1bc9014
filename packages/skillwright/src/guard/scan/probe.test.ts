// A search for needed texts first does not change what is found.

import { expect, test } from 'vitest';
import { harmless } from '../../../test/scan-samples/harmless.ts';
import { maliciousInstructions } from '../../../test/scan-samples/malicious-instructions.ts';
import { maliciousPrograms } from '../../../test/scan-samples/malicious-programs.ts';
import { declaredProbes, defineProbe } from './probe.ts';
// Declares probes.
import './rules/index.ts';
import { MAX_MATCHES, ProbedText } from './scan-subject.ts';

const foundBy = (pattern: RegExp, needs: string | undefined, text: string): string[] =>
  new ProbedText(text)
    .match(defineProbe(pattern, needs === undefined ? {} : { needs }))
    .map((match) => `${match.index} ${match.text}`);

const foundIn = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map((match) => `${match.index} ${match[0]}`);

const gap = ' \n'.repeat(500);

test.each<[string, RegExp, string | undefined, string]>([
  ['nothing', /abc/g, 'abc', gap],
  ['several', /abc|def/g, 'abc,def', `abc${gap}def${gap}abc`],
  ['any case', /abc/gi, 'abc', `${gap}aBC`],
  ['letters that grow in lower case', /abc/gi, 'abc', `İİİİ${gap}İABC`],
  ['needs shorter than four letters', /x\s{0,3}#/g, '#', `${gap}x #${gap}#`],
  ['overlapping matches', /abc[^\n]{0,20}def/g, 'def', `abc abc def def${gap}abcdef`],
  [
    'a need far from both ends',
    /[a-z]{0,40}#abc#[a-z]{0,40}/g,
    '#abc#',
    `${gap}${'x'.repeat(60)}#abc#${'y'.repeat(60)}`,
  ],
  ['text before a match', /(?<!x{3})abc/g, 'abc', `${gap}xxxabc${gap}xxabc`],
  ['text after a match', /abc(?!y{3})/g, 'abc', `${gap}abcyyy${gap}abcyy`],
  ['the end of the text, not of a part', /abc\s{0,3}$/g, 'abc', `abc${gap}abc `],
  ['the beginning of the text, not of a part', /^abc/g, 'abc', `${gap}abc`],
  ['a pattern that needs nothing', /\d{3}/g, undefined, `${gap}123${gap}4567`],
  ['empty matches', /(?=abc)/g, 'abc', 'abcabc'],
])('%s', (_, pattern, needs, text) => {
  expect(foundBy(pattern, needs, text)).toEqual(foundIn(pattern, text));
});

test('reports at most the maximum number of matches', () => {
  expect(foundBy(/abc/g, 'abc', 'abc'.repeat(MAX_MATCHES + 1))).toHaveLength(MAX_MATCHES);
});

test('every probe finds in every sample what its pattern finds', () => {
  for (const { name, files } of [...maliciousInstructions, ...maliciousPrograms, ...harmless])
    for (const text of Object.values(files)) {
      const probed = new ProbedText(text);
      for (const probe of declaredProbes)
        expect(
          probed.match(probe).map((match) => `${match.index} ${match.text}`),
          name,
        ).toEqual(foundIn(probe.pattern, text));
    }
});
