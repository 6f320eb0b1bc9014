import { expect, test } from 'vitest';
import { isReservedName } from './reserved-name.ts';

test.each(['con', 'CON', 'nul.txt', 'Aux.tar.gz', 'com1', 'lpt9.md', 'conin$', 'CONOUT$'])(
  '%s is reserved',
  (name) => {
    expect(isReservedName(name)).toBe(true);
  },
);

test.each(['', 'con-text', 'console', 'my.con', 'com', 'com10', 'lpt', 'null', 'conin'])(
  '%s is free',
  (name) => {
    expect(isReservedName(name)).toBe(false);
  },
);
