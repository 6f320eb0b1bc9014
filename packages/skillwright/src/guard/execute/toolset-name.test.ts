import { expect, test } from 'vitest';
import { toolName } from './activate-toolsets.ts';

const long = 'l'.repeat(60);

test.each([
  ['demo', 'go', 'demo__go'],
  ['text-statistics', 'countWords', 'text_statistics__countWords'],
  ['demo', 'a__b', 'demo__a_b'],
  ['demo', 'a b/../ü', 'demo__a_b_'],
  ['数据处理', 'count', '___count_'],
  ['my skill', 'go', 'my_skill__go'],
  ['Ünicode', '', '_nicode___'],
  [long, 'goes', `${long.slice(0, 55)}_`],
])('%s, %s: %s', (skill, tool, expected) => {
  const name = toolName(skill, tool);
  expect([name.startsWith(expected), /^[A-Za-z0-9_]{1,64}$/.test(name)]).toEqual([true, true]);
});

test('names in other writing systems stay distinct', () => {
  expect(toolName('数据处理', 'count')).not.toEqual(toolName('文本', 'count'));
});

test('long names with the same beginning stay distinct', () => {
  expect(toolName(long, 'one')).not.toEqual(toolName(long, 'two'));
});
