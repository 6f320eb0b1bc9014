// One measured figure, always beside the baseline it is a ratio of.

/** A figure and, where there is one, the target it has to reach. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB/s' | 'ratio' | 'score' | 'MB' | 'skills/s' | 'tokens' | 'tasks' | '%';
  /** What it is compared with, measured in the same run. */
  readonly baseline?: { readonly name: string; readonly value: number; readonly unit?: Figure['unit'] };
  /** `value / baseline`. */
  readonly ratio?: number;
  readonly target?: { readonly text: string; readonly met: boolean };
}

/** The median of repeated measurements: one slow run on a busy machine does not count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Milliseconds `work` takes, the median of `runs`. */
export function time(runs: number, work: () => void): number {
  return median(
    Array.from({ length: runs }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );
}

/** A figure in milliseconds with its ratio to a baseline, and the most that ratio may be. */
export function compare(
  name: string,
  value: number,
  baseline: { name: string; value: number; atMost?: number },
): Figure {
  const ratio = value / baseline.value;
  const { atMost } = baseline;
  const target =
    atMost === undefined ? {} : { target: { text: `at most ${atMost} ×`, met: ratio <= atMost } };
  return {
    name,
    value,
    unit: 'ms',
    baseline: { name: baseline.name, value: baseline.value },
    ratio,
    ...target,
  };
}
