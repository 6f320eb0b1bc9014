import { expect, test } from 'vitest';
import { once } from './count-fact.ts';

test('a fact is read once, also an absent one', () => {
  let reads = 0;
  const fact = once(() => {
    reads += 1;
    return undefined;
  });
  expect([fact(), fact(), reads]).toEqual([undefined, undefined, 1]);
});

test('a fact that could not be read is read again', () => {
  let reads = 0;
  const fact = once(() => {
    reads += 1;
    if (reads === 1) throw new Error('away');
    return reads;
  });
  expect(fact).toThrow('away');
  expect([fact(), fact()]).toEqual([2, 2]);
});
