import { expect, test } from 'vitest';
import { countCodePoints, fitsWithin } from './text-length.ts';

test.each<[string, number]>([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['日本', 2],
  ['😀', 1],
  ['a😀b😀', 4],
  ['\ud800', 1],
  ['\ud800\ud800\udc00', 2],
  ['\udc00\ud800', 2],
])('%j has %i code points', (text, count) => {
  expect(countCodePoints(text)).toBe(count);
  expect(countCodePoints(text)).toBe([...text].length);
  expect(fitsWithin(text, count)).toBe(true);
  expect(fitsWithin(`${text}x`, count)).toBe(false);
});
