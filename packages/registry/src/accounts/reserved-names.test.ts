import { expect, test } from 'vitest';
import { isReservedName } from './owners.ts';

test.each(['api', 'admin', 'adm1n', 'ad-min', 'log', '1og', 'mcp', 'skillwright', 'sk1llwright'])(
  '%s is reserved',
  (name) => {
    expect(isReservedName(name)).toBe(true);
  },
);

test.each(['acme', 'admins-of-x', 'apis'])('%s is free', (name) => {
  expect(isReservedName(name)).toBe(false);
});
