// A pattern to look for, and the texts near which it is tried.

/** One pattern to look for. */
export interface Probe {
  /** Global; every repetition in it is bounded, so that it runs in linear time. */
  readonly pattern: RegExp;
  /** Texts in lower case, one of which is in every match. None: the pattern is tried everywhere. */
  readonly needs: readonly Need[];
  /** Maximum characters from the beginning of such a text to either end of what the pattern looks at. */
  readonly reach: number;
  /** Tried on decoded texts only. */
  readonly hiddenOnly: boolean;
  /** Tried on instructions and decoded texts, not on programs and settings in plain sight. */
  readonly inProse: boolean;
}

interface Need {
  readonly text: string;
  readonly runs: readonly number[];
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
    needs: options.needs?.split(',').map((text) => ({ text, runs: runsOf(text) })) ?? [],
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

/** Number of different runs of letters. */
export const RUNS = 0x10000;

/** The number of the last four letters: each letter shifts the others by four of sixteen bits. */
export const nextRun = (run: number, code: number): number => ((run << 4) ^ (code * 0x9e5)) & (RUNS - 1);

/** Numbers of the runs of four letters in a text; none if it is shorter. */
function runsOf(text: string): number[] {
  const runs: number[] = [];
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    run = nextRun(run, text.charCodeAt(at));
    if (at >= 3) runs.push(run);
  }
  return runs;
}
