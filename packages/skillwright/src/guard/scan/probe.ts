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
  /** Asked of instructions and of decoded texts, not of programs and settings as they are. */
  readonly inProse: boolean;
  /** How far from a hint a match may begin or end, in characters. */
  readonly reach: number;
}

/** Declares a probe. */
export function defineProbe(
  hints: readonly string[],
  pattern: RegExp,
  options: {
    reach?: number;
    needs?: readonly (readonly string[])[];
    hiddenOnly?: boolean;
    inProse?: boolean;
  } = {},
): Probe {
  return {
    hints,
    pattern,
    needs: options.needs ?? [],
    hiddenOnly: options.hiddenOnly ?? false,
    inProse: options.inProse ?? false,
    reach: options.reach ?? 320,
  };
}

/** Where in a text a probe matched. */
export interface ProbeMatch {
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
}

/** How many matches of one probe in one text are told apart. Who puts in more hides something among them. */
export const MAX_MATCHES = 1000;

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
    // Not `matchAll`: it makes a new expression for every window.
    const { pattern } = probe;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
      matches.push({ index: from + match.index, text: match[0], groups: match.slice(1) });
      if (matches.length >= MAX_MATCHES) return matches;
      if (match[0] === '') pattern.lastIndex++;
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
  let lists = 0;
  let places: number[] = [];
  for (const number of numbers.hints) {
    const own = hits.get(number);
    if (own === undefined) continue;
    places = lists === 0 ? own : places.concat(own);
    lists++;
  }
  if (lists === 0) return none;
  if (!numbers.needs.every((words) => words.some((word) => hits.has(word)))) return none;
  if (lists > 1) places.sort((a, b) => a - b);
  const result: [number, number][] = [];
  for (const place of places) {
    const last = result.at(-1);
    if (last !== undefined && place - reach <= last[1]) last[1] = Math.min(text.length, place + reach);
    else result.push([Math.max(0, place - reach), Math.min(text.length, place + reach)]);
  }
  return result;
}
