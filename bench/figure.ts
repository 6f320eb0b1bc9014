// One measured figure, with the baseline it is compared with.

/** A figure with its target, if any. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB/s' | 'ratio' | 'score' | 'MB' | 'skills/s' | 'tokens' | 'tasks' | '%';
  /** Baseline, measured in the same run. */
  readonly baseline?: { readonly name: string; readonly value: number; readonly unit?: Figure['unit'] };
  /** `value / baseline`. */
  readonly ratio?: number;
  readonly target?: { readonly text: string; readonly met: boolean };
}

/** Median of repeated measurements, so that one slow run does not count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Median duration of `work` over `runs`, in milliseconds. */
export function time(runs: number, work: () => void): number {
  return median(
    Array.from({ length: runs }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );
}

/** A figure in milliseconds with its ratio to a baseline, and an upper limit for that ratio. */
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
