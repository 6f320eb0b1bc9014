import { expect, test } from 'vitest';
import { runSoak } from '../../../bench/mcp-soak.ts';

test('2,000 mixed calls over skills that are edited all the while', async () => {
  const { calls, edits, wrong, stderr } = await runSoak({ calls: 2000, skills: 20, native: false });
  expect({ calls, wrong, stderr }).toEqual({ calls: 2000, wrong: [], stderr: '' });
  expect(edits).toBeGreaterThan(20);
});
