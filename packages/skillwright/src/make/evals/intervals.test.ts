import { expect, test } from 'vitest';
import { pairedDifference, wilsonInterval } from './intervals.ts';

const rounded = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).map(([name, number]) => [name, Number(number.toFixed(4))]));

// The first lines are examples of Newcombe (1998); the others follow from the closed form.
test.each([
  [81, 263, { low: 0.2553, high: 0.3662 }],
  [15, 148, { low: 0.0624, high: 0.1605 }],
  [0, 20, { low: 0, high: 0.1611 }],
  [1, 29, { low: 0.0061, high: 0.1718 }],
  [3, 3, { low: 0.4385, high: 1 }],
  [4, 4, { low: 0.5101, high: 1 }],
  [0, 0, { low: 0, high: 1 }],
])('%i of %i', (passed, runs, expected) => {
  expect(rounded(wilsonInterval(passed, runs))).toEqual(expected);
});

const pairs = (both: number, onlyFirst: number, onlySecond: number, none: number) => [
  ...Array.from({ length: both }, () => ({ first: true, second: true })),
  ...Array.from({ length: onlyFirst }, () => ({ first: true, second: false })),
  ...Array.from({ length: onlySecond }, () => ({ first: false, second: true })),
  ...Array.from({ length: none }, () => ({ first: false, second: false })),
];

test.each([
  [pairs(36, 2, 12, 0), { difference: 0.2, low: 0.0569, high: 0.3404 }],
  [pairs(53, 0, 1, 0), { difference: 0.0185, low: -0.0496, high: 0.0977 }],
  [pairs(0, 0, 30, 0), { difference: 1, low: 0.8395, high: 1 }],
  [pairs(0, 0, 0, 0), { difference: 0, low: -1, high: 1 }],
  [pairs(1, 0, 0, 0), { difference: 0, low: -0.7935, high: 0.7935 }],
])('the difference of pairs', (runs, expected) => {
  expect(rounded(pairedDifference(runs))).toEqual(expected);
});
