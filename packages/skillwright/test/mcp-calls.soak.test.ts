import { expect, test } from 'vitest';
import { runSoak } from '../../../bench/mcp-soak.ts';

const calls = 2000;
const skills = 20;

test(`${calls} mixed calls over skills that are edited all the while`, async () => {
  const { wrong, stderr, ...made } = await runSoak({ calls, skills, native: false });
  expect({ calls: made.calls, wrong, stderr }).toEqual({ calls, wrong: [], stderr: '' });
  expect(made.edits).toBeGreaterThan(20);
});
