import { expect, test } from 'vitest';
import { isSkillName } from './skill-name.ts';

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
