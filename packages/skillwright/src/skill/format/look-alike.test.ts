import { expect, test } from 'vitest';
import { looksLike, nameSkeleton } from './look-alike.ts';

test.each([
  ['acme', 'Acme'],
  ['my-team', 'myteam'],
  ['my-team', 'my.team'],
  ['my-team', 'my_team'],
  ['google', 'goog1e'],
  ['google', 'g00gie'],
  ['modern', 'modem'],
  ['mo-der-n', 'modem'],
  ['paypal', 'раураl'],
  ['cafe', 'café'],
  ['acme', 'ａｃｍｅ'],
  ['acme', 'ac\u200bme'],
  ['nu', 'ոս'],
])('%s and %s look alike', (one, other) => {
  expect(nameSkeleton(other)).toBe(nameSkeleton(one));
});

test.each([
  ['acme', 'acne'],
  ['team-a', 'team-b'],
  ['v1', 'v2'],
])('%s and %s do not', (one, other) => {
  expect(nameSkeleton(other)).not.toBe(nameSkeleton(one));
});

/** Letters that look like an ASCII one when they are small, by that letter. */
const letters = {
  a: 'аɑα',
  b: 'ьƅв',
  c: 'сᴄ',
  d: 'ԁđ',
  e: 'еҽєε',
  f: 'ƒ',
  g: 'ɡց',
  h: 'һհн',
  i: 'іıιɩӏ',
  j: 'јϳ',
  k: 'κк',
  l: 'ł',
  m: 'м',
  n: 'ոηп',
  o: 'оοօσø',
  p: 'рρ',
  q: 'ԛգ',
  r: 'г',
  s: 'ѕʂ',
  t: 'тτ',
  u: 'υսμ',
  v: 'νѵ',
  w: 'ԝωш',
  x: 'хχ',
  y: 'уүγ',
  z: 'ᴢʐ',
} as const;

test.each(Object.entries(letters).flatMap(([latin, others]) => [...others].map((other) => [other, latin])))(
  '%s passes for %s, to a rule of the user and to a registry',
  (other, latin) => {
    expect([
      looksLike(`te${latin}st`, `te${other}st`),
      nameSkeleton(`te${other}st`) === nameSkeleton(`te${latin}st`),
    ]).toEqual([true, true]);
  },
);
