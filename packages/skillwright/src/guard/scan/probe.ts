// A question to a text: a pattern, and of which texts it is asked.

/** One question. */
export interface Probe {
  /** Global; every repetition in it is bounded, so that it runs in linear time. */
  readonly pattern: RegExp;
  /** Asked of decoded texts alone. */
  readonly hiddenOnly: boolean;
  /** Asked of instructions and of decoded texts, not of programs and settings as they are. */
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
