// A search for literals first does not change what is found.

import { expect, test } from 'vitest';
import { harmless } from '../../../test/scan-samples/harmless.ts';
import { maliciousInstructions } from '../../../test/scan-samples/malicious-instructions.ts';
import { maliciousPrograms } from '../../../test/scan-samples/malicious-programs.ts';
import { defineProbe } from './probe.ts';
import { createProbeFinder, MAX_MATCHES } from './probe-finder.ts';
import { scanRules } from './rules/index.ts';

function foundBy(pattern: RegExp, text: string): string[] {
  const probe = defineProbe(pattern);
  const finder = createProbeFinder([probe]);
  return finder.match(probe, finder.read(text)).map((match) => `${match.index} ${match.text}`);
}

const foundIn = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map((match) => `${match.index} ${match[0]}`);

const gap = ' \n'.repeat(500);

test.each<[string, RegExp, string]>([
  ['nothing', /abc/g, gap],
  ['several', /abc|def/g, `abc${gap}def${gap}abc`],
  ['overlapping matches', /abc[^\n]{0,20}def/g, `abc abc def def${gap}abcdef`],
  [
    'a literal far from both ends',
    /[a-z]{0,40}#abc#[a-z]{0,40}/g,
    `${gap}${'x'.repeat(60)}#abc#${'y'.repeat(60)}`,
  ],
  ['text before a match', /(?<!x{3})abc/g, `${gap}xxxabc${gap}xxabc`],
  ['text after a match', /abc(?!y{3})/g, `${gap}abcyyy${gap}abcyy`],
  ['the end of the text, not of a part', /abc\s{0,3}$/g, `abc${gap}abc `],
  ['the beginning of the text, not of a part', /^abc/g, `${gap}abc`],
  ['a pattern without required literals', /\d{3}/g, `${gap}123${gap}4567`],
  ['a pattern that cannot be analysed', /abc\cJ/g, `${gap}abc\n`],
  ['empty matches', /(?=abc)/g, 'abcabc'],
])('%s', (_, pattern, text) => {
  expect(foundBy(pattern, text)).toEqual(foundIn(pattern, text));
});

test('reports at most the maximum number of matches', () => {
  expect(foundBy(/abc/g, 'abc'.repeat(MAX_MATCHES + 1))).toHaveLength(MAX_MATCHES);
});

test('refuses a probe that it was not created with', () => {
  const finder = createProbeFinder([]);
  expect(() => finder.match(defineProbe(/abc/g), finder.read(''))).toThrow(
    'a rule uses a probe that it does not list',
  );
});

test('every probe finds in every sample what its pattern finds', () => {
  const probes = [...new Set(scanRules.flatMap((rule) => rule.probes))];
  const finder = createProbeFinder(probes);
  for (const { name, files } of [...maliciousInstructions, ...maliciousPrograms, ...harmless])
    for (const text of Object.values(files)) {
      const read = finder.read(text);
      for (const probe of probes)
        expect(
          finder.match(probe, read).map((match) => `${match.index} ${match.text}`),
          name,
        ).toEqual(foundIn(probe.pattern, text));
    }
});
