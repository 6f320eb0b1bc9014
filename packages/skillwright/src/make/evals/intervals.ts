// Confidence intervals of success rates, and of the difference between two of them.

/** A rate with its interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Two-sided 95 %. */
const Z = 1.959963984540054;

/** Wilson's score interval of `passed` of `runs`: sound for few runs, and for all or none. */
export function wilsonInterval(passed: number, runs: number): Interval {
  if (runs === 0) return { low: 0, high: 1 };
  const rate = passed / runs;
  const scale = 1 + Z ** 2 / runs;
  const middle = (rate + Z ** 2 / (2 * runs)) / scale;
  const half = (Z * Math.sqrt((rate * (1 - rate)) / runs + Z ** 2 / (4 * runs ** 2))) / scale;
  return {
    low: passed === 0 ? 0 : Math.max(0, middle - half),
    high: passed === runs ? 1 : Math.min(1, middle + half),
  };
}

/** A run of one case under two conditions. */
interface PairedRun {
  readonly first: boolean;
  readonly second: boolean;
}

/**
 * How much more often the second condition succeeds, with Newcombe's interval for paired proportions: both Wilson
 * intervals, joined with the correlation of the pairs.
 */
export function pairedDifference(pairs: readonly PairedRun[]): Interval & { readonly difference: number } {
  const runs = pairs.length;
  if (runs === 0) return { difference: 0, low: -1, high: 1 };
  const count = (isFirst: boolean, isSecond: boolean) =>
    pairs.filter(({ first, second }) => first === isFirst && second === isSecond).length;
  const [both, onlyFirst, onlySecond, none] = [
    count(true, true),
    count(true, false),
    count(false, true),
    count(false, false),
  ];
  const first = sideOf(both + onlyFirst, runs);
  const second = sideOf(both + onlySecond, runs);
  const product = (both + onlyFirst) * (onlySecond + none) * (both + onlySecond) * (onlyFirst + none);
  const excess = both * none - onlyFirst * onlySecond;
  const corrected = excess > 0 ? Math.max(excess - runs / 2, 0) : excess;
  const correlation = product === 0 ? 0 : corrected / Math.sqrt(product);
  const join = (a: number, b: number) => Math.sqrt(Math.max(0, a ** 2 - 2 * correlation * a * b + b ** 2));
  const difference = second.rate - first.rate;
  return {
    difference,
    low: Math.max(-1, difference - join(second.below, first.above)),
    high: Math.min(1, difference + join(second.above, first.below)),
  };
}

function sideOf(passed: number, runs: number): { rate: number; below: number; above: number } {
  const rate = passed / runs;
  const { low, high } = wilsonInterval(passed, runs);
  return { rate, below: rate - low, above: high - rate };
}
