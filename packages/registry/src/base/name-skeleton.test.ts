import { expect, test } from 'vitest';
import { isReservedName } from '../accounts/put-owner.ts';
import { nameSkeleton } from './name-skeleton.ts';

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

test.each(['api', 'admin', 'adm1n', 'ad-min', 'log', '1og', 'mcp', 'skillwright', 'sk1llwright'])(
  '%s is reserved',
  (name) => {
    expect(isReservedName(name)).toBe(true);
  },
);

test.each(['acme', 'admins-of-x', 'apis'])('%s is free', (name) => {
  expect(isReservedName(name)).toBe(false);
});
