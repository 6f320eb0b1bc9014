// Runs many probes on one text: one pass finds the literals they require, and a pattern is tried only around its own.

import { createLiteralFinder, type LiteralHits } from './literal-finder.ts';
import type { Probe } from './probe.ts';
import { requirementsOf } from './required-literals.ts';

/** Where in a text a probe matched. */
export interface ProbeMatch {
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
}

/** Maximum matches of one probe in one text. An author who puts in more hides something among them. */
export const MAX_MATCHES = 1000;

/** A text in which the literals of probes have been found. */
export interface ReadText {
  readonly text: string;
  readonly hits: LiteralHits;
  /** Probes with at least one literal in the text. */
  readonly probes: ReadonlySet<Probe>;
}

/** Runs a fixed list of probes. */
export interface ProbeFinder {
  /** Finds the literals of all probes in a text. */
  read(text: string): ReadText;
  /** The matches of one probe: the same as without the search for literals. */
  match(probe: Probe, read: ReadText): ProbeMatch[];
}

/** A set of literals, by number, and how far a match extends around one. */
interface Anchor {
  readonly numbers: readonly number[];
  readonly before: number;
  readonly after: number;
}

type Window = [from: number, to: number];

/** Creates a finder for these probes. */
export function createProbeFinder(probes: Iterable<Probe>): ProbeFinder {
  const known = new Map<string, number>();
  const numberOf = (literal: string): number => {
    const number = known.get(literal) ?? known.size;
    known.set(literal, number);
    return number;
  };
  const askers: Set<Probe>[] = [];
  const always = new Set<Probe>();
  const anchors = new Map<Probe, readonly (readonly Anchor[])[]>();
  for (const probe of probes) {
    const { branches, ahead } = requirementsOf(probe.pattern);
    const anchorOf = ({ literals, before, after }: (typeof branches)[number][number]): Anchor => ({
      numbers: literals.map(numberOf),
      before,
      after: after + ahead,
    });
    const own = branches.map((sets) => sets.map(anchorOf));
    anchors.set(probe, own);
    if (own.some((sets) => sets.length === 0)) always.add(probe);
    for (const { numbers } of own.flat())
      for (const number of numbers) askers[number] = (askers[number] ?? new Set()).add(probe);
  }
  const finder = createLiteralFinder([...known.keys()]);
  return {
    read(text) {
      const hits = finder.find(text);
      const asking = new Set(always);
      for (const number of hits.keys()) for (const probe of askers[number]!) asking.add(probe);
      return { text, hits, probes: asking };
    },
    match(probe, read) {
      const branches = anchors.get(probe);
      if (branches === undefined) throw new RangeError('a rule uses a probe that it does not list');
      return read.probes.has(probe) ? matchWithin(probe.pattern, read.text, windowsOf(branches, read)) : [];
    },
  };
}

/** The parts of a text that contain every match, in order and without overlap. */
function windowsOf(branches: readonly (readonly Anchor[])[], { text, hits }: ReadText): Window[] {
  const windows: Window[] = [];
  for (const sets of branches) {
    if (sets.length === 0) return [[0, text.length]];
    let fewest = Number.POSITIVE_INFINITY;
    let anchor = sets[0]!;
    for (const set of sets) {
      const count = countOf(set, hits);
      if (count >= fewest) continue;
      fewest = count;
      anchor = set;
      if (count === 0) break;
    }
    if (fewest === 0) continue;
    for (const number of anchor.numbers)
      for (const place of hits.get(number) ?? [])
        add(windows, [Math.max(0, place - anchor.before), Math.min(text.length, place + anchor.after)]);
  }
  windows.sort((a, b) => a[0] - b[0]);
  const merged: Window[] = [];
  for (const window of windows) add(merged, window);
  return merged;
}

function countOf({ numbers }: Anchor, hits: LiteralHits): number {
  let count = 0;
  for (const number of numbers) {
    const places = hits.get(number);
    if (places !== undefined) count += places.length;
  }
  return count;
}

/** Adds a window; merges it with the last one if they overlap. */
function add(windows: Window[], window: Window): void {
  const last = windows.at(-1);
  if (last === undefined || window[0] > last[1] || window[1] < last[0]) windows.push(window);
  else {
    last[0] = Math.min(last[0], window[0]);
    last[1] = Math.max(last[1], window[1]);
  }
}

function matchWithin(pattern: RegExp, text: string, windows: readonly Window[]): ProbeMatch[] {
  const matches: ProbeMatch[] = [];
  for (const [from, to] of windows) {
    // Cut only at the end, so that the pattern sees the text before. Not `matchAll`, which clones the expression each time.
    const part = text.slice(0, to);
    pattern.lastIndex = from;
    for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
      matches.push({ index: match.index, text: match[0], groups: match.slice(1) });
      if (matches.length >= MAX_MATCHES) {
        // Reset the shared expression for the next text.
        pattern.lastIndex = 0;
        return matches;
      }
      if (match[0] === '') pattern.lastIndex++;
    }
  }
  return matches;
}
