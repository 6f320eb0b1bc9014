// Inputs that `npm run fuzz` found, and a few new ones.

import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { fuzzTargets, readCorpus } from './fuzz/index.ts';

const corpus = readCorpus();
const SEED = 20_261_118;

test('every kept input belongs to a target', () => {
  const names = fuzzTargets.map(({ name }) => name);
  expect(Object.keys(corpus).filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(fuzzTargets.map((target) => [target.name, target] as const))('%s', (name, target) => {
  afterAll(() => target.close?.());

  test.each((corpus[name] ?? []).map((input) => [JSON.stringify(input).slice(0, 60), input] as const))(
    'holds for %s',
    async (_, input) => {
      await target.check(input);
    },
  );

  test('holds for new inputs', async () => {
    const property = fc.asyncProperty(target.inputs, async (input) => target.check(input));
    await fc.assert(property, { seed: SEED, numRuns: 30 });
  });
});
