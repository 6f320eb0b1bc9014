import { expect, test } from 'vitest';
import { isReservedName, isSkillName } from './skill-name.ts';

test.each<[string, boolean]>([
  ['a', true],
  ['pdf-tools', true],
  ['3d-web', true],
  ['a1-b2-c3', true],
  ['con', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['', false],
  ['CON', false],
  ['-a', false],
  ['a-', false],
  ['a--b', false],
  ['a_b', false],
  ['a b', false],
  ['a\n', false],
  ['../x', false],
  ['/etc', false],
  ['.', false],
  ['c:\\x', false],
  ['навык', false],
  ['café', false],
  ['а', false],
])('%j', (name, allowed) => {
  expect(isSkillName(name)).toBe(allowed);
});

test.each(['con', 'CON', 'nul.txt', 'Aux.tar.gz', 'com1', 'lpt9.md', 'conin$', 'CONOUT$', 'COM¹', 'lpt³.md'])(
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
