// The part of a long text that is worth reading word by word. It is looked for with one regular expression, which
// does not know about accents or the parts of words: a good guess at once is better here than the right place later.

import type { Word } from './analyze-text.ts';

/** About as long as a snippet, in characters. */
const passageLength = 240;
/** What is read before and after it. */
const margin = 400;
/** Further matches are not looked at. */
const maxMatches = 1000;

/** A stretch of a text. */
export interface Passage {
  readonly from: number;
  readonly to: number;
}

/** Finds the first of the passages that hold the most weight of the query; undefined when no word of it is found. */
export type PassageFinder = (text: string) => Passage | undefined;

/** Makes the finder for one query; `weights` says what each of its words is worth. */
export function createPassageFinder(words: readonly Word[], weights: readonly number[]): PassageFinder {
  const places = new Map(words.map((word, place) => [beginningOf(word.term), place]));
  // The longest first, as the first that fits is taken. Terms are letters, marks and digits and need no escaping.
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

/** What all words of a stem begin with: "queries" has the stem "query". */
function beginningOf(term: string): string {
  return term.length > 3 && term.endsWith('y') ? term.slice(0, -1) : term;
}
