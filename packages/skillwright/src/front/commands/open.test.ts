import { expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';

test.each([
  ['1', 'one\n', ''],
  ['2-9', 'two\n', ''],
  ['3', '', 'a.md ends before line 3\n'],
  ['99999999999999999999', '', 'a.md ends before line 100000000000000000000\n'],
])('--lines %s of two lines', async (lines, stdout, stderr) => {
  const world = makeWorld({
    '.skillc/skills/demo/SKILL.md': skillText('demo'),
    '.skillc/skills/demo/a.md': 'one\ntwo\n',
  });
  const result = await world.run(['open', 'demo', 'a.md', '--lines', lines]);
  expect(result).toMatchObject({ status: 0, stdout, stderr });
});
