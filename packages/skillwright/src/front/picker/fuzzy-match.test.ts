import { expect, test } from 'vitest';
import { splitCharacters } from '../commands/text-width.ts';
import { matchFuzzy, prepareName } from './fuzzy-match.ts';

/** The name with matching letters in capitals, or in brackets if it has no capitals. */
function show(name: string, query: string): string | undefined {
  const match = matchFuzzy(prepareName(name), query);
  if (match === undefined) return undefined;
  return splitCharacters(name)
    .map((character, at) => {
      if (!match.letters.has(at)) return character;
      return /^[a-z]$/.test(character) ? character.toUpperCase() : `[${character}]`;
    })
    .join('');
}

test.each([
  ['release-notes', 'rel', 'RELease-notes'],
  ['release-notes', 'rn', 'Release-Notes'],
  ['release-notes', 'rnotes', 'Release-NOTES'],
  ['release-notes', 'notes', 'release-NOTES'],
  ['release-notes', 'notes rel', 'RELease-NOTES'],
  ['release-notes', 'RLNT', 'ReLease-NoTes'],
  ['release-notes', 'nr', undefined],
  ['release-notes', 'xyz', undefined],
  // Letters at word starts, and runs of letters.
  ['pdf-form-filler', 'ff', 'pdf-Form-Filler'],
  ['a-ba-abc', 'abc', 'a-ba-ABC'],
  // A word starts with the letter, but the rest comes before it.
  ['abx-b', 'abx', 'ABX-b'],
  ['axbx-b', 'abx', 'AxBX-b'],
  ['日本語の文書', '日文', '[日]本語の[文]書'],
  ['straße', 'SS', 'stra[ß]e'],
  ['e\u0301tude', 'ét', '[e\u0301]Tude'],
  ['evil\u001b[2J', 'e2', 'Evil\u001b[[2]J'],
  ['', 'a', undefined],
])('%j for %j', (name, query, expected) => {
  expect(show(name, query)).toBe(expected);
});

test('runs of letters and word starts come first', () => {
  const names = ['some-reduced-elk', 'barrel', 'release-notes', 'xrxexl'];
  const scored = names.map((name) => ({ name, score: matchFuzzy(prepareName(name), 'rel')?.score ?? -1 }));
  expect(scored.toSorted((a, b) => b.score - a.score).map(({ name }) => name)).toEqual([
    'release-notes',
    'barrel',
    'some-reduced-elk',
    'xrxexl',
  ]);
});
