// A pattern, and the kind of texts to try it on.

/** One pattern to look for. */
export interface Probe {
  /** Global; every repetition in it is bounded, so that it runs in linear time. */
  readonly pattern: RegExp;
  /** Tried on decoded texts only. */
  readonly hiddenOnly: boolean;
  /** Tried on instructions and decoded texts, not on programs and settings in plain sight. */
  readonly inProse: boolean;
}

/** Declares a probe. */
export function defineProbe(
  pattern: RegExp,
  options: { hiddenOnly?: boolean; inProse?: boolean } = {},
): Probe {
  return { pattern, hiddenOnly: options.hiddenOnly ?? false, inProse: options.inProse ?? false };
}

/** Whether a probe matches anywhere in a short text. */
export function occursIn(probe: Probe, text: string): boolean {
  return text.search(probe.pattern) >= 0;
}
