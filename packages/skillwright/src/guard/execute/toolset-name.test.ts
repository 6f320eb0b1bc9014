import { expect, test } from 'vitest';
import { toolName } from './toolset-name.ts';

const long = 'l'.repeat(60);

test.each([
  ['demo', 'go', 'demo__go'],
  ['text-statistics', 'countWords', 'text-statistics__countWords'],
  ['demo', 'a__b', 'demo__a_b'],
  ['demo', 'a b/../ü', 'demo__a_b_'],
  ['Ünicode', '', '_nicode___'],
  [long, 'goes', `${long.slice(0, 55)}_`],
])('%s, %s: %s', (skill, tool, expected) => {
  const name = toolName(skill, tool);
  expect([name.startsWith(expected), /^[A-Za-z0-9_-]{1,64}$/.test(name)]).toEqual([true, true]);
});

test('long names that begin alike stay apart', () => {
  expect(toolName(long, 'one')).not.toEqual(toolName(long, 'two'));
});
