// A pattern to look for, and the words near which it is tried.

import { declareWords, type WordId } from './word-index.ts';

/** One pattern to look for. */
export interface Probe {
  /** Global; every repetition in it is bounded, so that it runs in linear time. */
  readonly pattern: RegExp;
  /** Words, one of which is in every match. None: the pattern is tried everywhere. */
  readonly needs: readonly WordId[];
  /** Maximum characters from the beginning of such a text to either end of what the pattern looks at. */
  readonly reach: number;
  /** Tried on decoded texts only. */
  readonly hiddenOnly: boolean;
  /** Tried on instructions and decoded texts, not on programs and settings in plain sight. */
  readonly inProse: boolean;
}

/** Reach of most probes. */
const REACH = 500;

/** Every declared probe, for the test that tries each alternative of each. */
export const declaredProbes: Probe[] = [];

/** Declares a probe. `needs` is a list with commas, such as `curl,wget`. */
export function defineProbe(
  pattern: RegExp,
  options: { needs?: string; reach?: number; hiddenOnly?: boolean; inProse?: boolean } = {},
): Probe {
  const probe = {
    pattern,
    needs: options.needs === undefined ? [] : declareWords(options.needs),
    reach: options.reach ?? REACH,
    hiddenOnly: options.hiddenOnly ?? false,
    inProse: options.inProse ?? false,
  };
  declaredProbes.push(probe);
  return probe;
}

/** Whether a probe matches anywhere in a short text. */
export function occursIn(probe: Probe, text: string): boolean {
  return text.search(probe.pattern) >= 0;
}
