import { expect, test } from 'vitest';
import { isTokenShaped, newTokenSecret } from './secrets.ts';

test('a token has a prefix scanners know, and a checksum', () => {
  const token = newTokenSecret();
  expect(token).toMatch(/^skwr_[0-9A-Za-z]{49}$/);
  expect(isTokenShaped(token)).toBe(true);
  expect(newTokenSecret()).not.toBe(token);
});

test('text of the same form with another checksum is not a token', () => {
  const token = newTokenSecret();
  for (const position of [5, 20, token.length - 1]) {
    const other = token[position] === 'a' ? 'b' : 'a';
    expect(isTokenShaped(token.slice(0, position) + other + token.slice(position + 1))).toBe(false);
  }
  expect(isTokenShaped(`${token} `)).toBe(false);
});
