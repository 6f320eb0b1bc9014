// Finds the passage of a long text that is worth analysing. One regular expression finds it, without regard for
// accents or parts of words: a fast guess is better here than a slow exact answer.

import type { Word } from './analyze-text.ts';

/** Approximate length of a snippet, in characters. */
const passageLength = 240;
/** Characters read before and after it. */
const margin = 400;
/** Further matches are ignored. */
const maxMatches = 1000;

/** A range of a text. */
export interface Passage {
  readonly from: number;
  readonly to: number;
}

/** Finds the first passage with the highest weight of query words; undefined when none matches. */
export type PassageFinder = (text: string) => Passage | undefined;

/** Creates the finder for one query; `weights` has the weight of each of its words. */
export function createPassageFinder(words: readonly Word[], weights: readonly number[]): PassageFinder {
  const places = new Map(words.map((word, place) => [beginningOf(word.term), place]));
  // The longest first, because the first match wins. Terms are letters, marks and digits and need no escaping.
  const beginnings = [...places.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(beginnings.join('|'), 'gi');
  return (text) => {
    const matches: { at: number; place: number }[] = [];
    for (const match of text.matchAll(pattern)) {
      matches.push({ at: match.index, place: places.get(match[0].toLowerCase()) ?? 0 });
      if (matches.length === maxMatches) break;
    }
    let best: number | undefined;
    let bestScore = 0;
    for (let first = 0; first < matches.length; first++) {
      const { at } = matches[first] as { at: number };
      const seen = new Set<number>();
      let score = 0;
      for (let next = first; (matches[next]?.at ?? Number.POSITIVE_INFINITY) < at + passageLength; next++) {
        const { place } = matches[next] as { place: number };
        if (!seen.has(place)) score += weights[place] as number;
        seen.add(place);
      }
      if (score > bestScore + 1e-9) {
        best = at;
        bestScore = score;
      }
    }
    if (best === undefined) return undefined;
    return { from: Math.max(0, best - margin), to: Math.min(text.length, best + passageLength + margin) };
  };
}

/** Common prefix of all words of a stem: "queries" has the stem "query". */
function beginningOf(term: string): string {
  return term.length > 3 && term.endsWith('y') ? term.slice(0, -1) : term;
}
