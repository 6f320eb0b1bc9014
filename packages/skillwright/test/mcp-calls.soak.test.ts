import { expect, test } from 'vitest';
import { runSoak } from '../../../bench/mcp-soak.ts';
import { repeats } from './soak.ts';

const calls = repeats(150, 2000);
const skills = repeats(5, 20);

test(`${calls} mixed calls over skills that are edited all the while`, async () => {
  const { wrong, stderr, ...made } = await runSoak({ calls, skills, native: false });
  expect({ calls: made.calls, wrong, stderr }).toEqual({ calls, wrong: [], stderr: '' });
  expect(made.edits).toBeGreaterThan(repeats(0, 20));
});
