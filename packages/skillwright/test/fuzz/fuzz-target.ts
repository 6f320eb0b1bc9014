// A reader of files or messages from strangers, the inputs to try on it, and what must hold for each of them.

import type { Arbitrary } from 'fast-check';

/** One target. Its inputs are plain JSON, so that a found one can be kept in `corpus.json`. */
export interface FuzzTarget<Input> {
  readonly name: string;
  readonly inputs: Arbitrary<Input>;
  /** Throws when something does not hold. */
  check(input: Input): void | Promise<void>;
  /** Ends what the checks share. */
  close?(): Promise<void>;
}

/** A target among others. */
export const fuzzTarget = <Input>(target: FuzzTarget<Input>): FuzzTarget<unknown> =>
  target as unknown as FuzzTarget<unknown>;

/** The slowest answer to an input of this size, on a busy machine. */
const MOST_MS = 5000;

/** Fails when the work takes longer than any such input may. */
export function inTime<Result>(work: () => Result): Result {
  const started = performance.now();
  const result = work();
  const took = performance.now() - started;
  if (took > MOST_MS) throw new Error(`it took ${Math.round(took)} ms`);
  return result;
}

/** Fails unless both are the same JSON. */
export function requireSame(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [actual, expected].map((value) => JSON.stringify(value));
  if (left !== right) throw new Error(`${what}: ${left?.slice(0, 500)} is not ${right?.slice(0, 500)}`);
}
