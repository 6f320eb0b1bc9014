// A cheap question to a text: literals that must be there, and a pattern that is tried only around them.

import type { LiteralHits } from './literal-finder.ts';

/** One question. */
export interface Probe {
  /** At least one of these, in any case, stands in or beside every match. ASCII. */
  readonly hints: readonly string[];
  /** Global and case-insensitive as a rule; every repetition in it is bounded, so that it runs in linear time. */
  readonly pattern: RegExp;
  /** From each of these lists, too, at least one stands somewhere in the text. */
  readonly needs: readonly (readonly string[])[];
  /** Asked of decoded texts alone. */
  readonly hiddenOnly: boolean;
  /** How far from a hint a match may begin or end, in characters. */
  readonly reach: number;
}

/** Declares a probe. */
export function defineProbe(
  hints: readonly string[],
  pattern: RegExp,
  options: { reach?: number; needs?: readonly (readonly string[])[]; hiddenOnly?: boolean } = {},
): Probe {
  return {
    hints,
    pattern,
    needs: options.needs ?? [],
    hiddenOnly: options.hiddenOnly ?? false,
    reach: options.reach ?? 320,
  };
}

/** Where in a text a probe matched. */
export interface ProbeMatch {
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
}

/** How many matches of one probe in one text are told apart: more of the same adds nothing. */
const MAX_MATCHES = 50;

/** The numbers that a finder knows the literals of a probe by. */
export interface ProbeNumbers {
  readonly hints: readonly number[];
  readonly needs: readonly (readonly number[])[];
}

/** The matches of a probe in a text whose literals have been found already. */
export function matchProbe(
  probe: Probe,
  text: string,
  found: { hits: LiteralHits; numbers: ProbeNumbers },
): ProbeMatch[] {
  const matches: ProbeMatch[] = [];
  for (const [from, to] of windows(probe, text, found)) {
    const part = text.slice(from, to);
    for (const match of part.matchAll(probe.pattern)) {
      matches.push({ index: from + match.index, text: match[0], groups: match.slice(1) });
      if (matches.length >= MAX_MATCHES) return matches;
    }
  }
  return matches;
}

const none: [number, number][] = [];

function windows(
  { reach }: Probe,
  text: string,
  { hits, numbers }: { hits: LiteralHits; numbers: ProbeNumbers },
): [number, number][] {
  let places: readonly number[] | undefined;
  for (const number of numbers.hints) {
    const own = hits.get(number);
    if (own !== undefined) places = places === undefined ? own : [...places, ...own].sort((a, b) => a - b);
  }
  if (places === undefined) return none;
  if (!numbers.needs.every((words) => words.some((word) => hits.has(word)))) return none;
  const result: [number, number][] = [];
  for (const place of places) {
    const last = result.at(-1);
    if (last !== undefined && place - reach <= last[1]) last[1] = Math.min(text.length, place + reach);
    else result.push([Math.max(0, place - reach), Math.min(text.length, place + reach)]);
  }
  return result;
}
