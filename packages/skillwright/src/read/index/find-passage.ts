// Finds the sentence of a section that is worth analysing. One regular expression finds it, without regard for parts of
// words: a fast guess is better here than a slow exact answer.

import type { Word } from '../../base/words/index.ts';
import { type Block, splitBlocks, splitSentences } from './find-sentence.ts';
import type { TextKind } from './section.ts';

/** Of a longer piece, such as a line of generated code, only the text around its first match is analysed. */
const maxLength = 64 * 1024;

/** A range of a text. */
export interface Passage {
  readonly from: number;
  readonly to: number;
}

/** A word to show. */
export type ShownWord = Pick<Word, 'term' | 'grams'>;

/** Places of words in a query by how all their forms begin, and the expression that finds them. */
function readBeginnings(words: readonly ShownWord[]) {
  const places = new Map(words.map((word, place) => [beginningOf(word.term), place]));
  // The longest first, because the first match wins. Terms are letters, marks and digits and need no escaping.
  const beginnings = [...places.keys()].sort((a, b) => b.length - a.length);
  return { places, pattern: new RegExp(beginnings.join('|'), 'gi') };
}

/**
 * Finds the piece of a section that has the most of a query: a sentence, or a line of code or of a table when no sentence
 * has any of it. Without a match, the first sentence. `isMatch` has the last word.
 */
export function createSentenceFinder(
  words: readonly ShownWord[],
  weights: readonly number[],
  isMatch: (text: string) => boolean,
): (text: string, kind: TextKind) => Passage {
  const { places, pattern } = readBeginnings(words);
  const scoreOf = (text: string): number => {
    const found = new Set(
      withoutAccents(text)
        .match(pattern)
        ?.map((match) => places.get(match.toLowerCase()) ?? 0),
    );
    return [...found].reduce((sum, place) => sum + (weights[place] as number), 0);
  };
  const shorten = (text: string, { from, to }: Passage): Passage => {
    if (to - from <= maxLength) return { from, to };
    const first = from + Math.max(0, text.slice(from, to).search(pattern));
    return { from: Math.max(from, first - maxLength / 4), to: Math.min(to, first + maxLength) };
  };
  return (text, kind) => {
    const scored: { piece: Passage; isLine: boolean; score: number }[] = [];
    let first: Block | undefined;
    for (const block of splitBlocks(text, kind)) {
      if (first === undefined || (first.kind === 'line' && block.kind === 'prose')) first = block;
      // Most blocks have no word of the query.
      if (scoreOf(text.slice(block.from, block.to)) === 0) continue;
      for (const piece of splitSentences(text, block)) {
        const score = scoreOf(text.slice(piece.from, piece.to));
        if (score > 0) scored.push({ piece: shorten(text, piece), isLine: block.kind === 'line', score });
      }
    }
    scored.sort((a, b) => Number(a.isLine) - Number(b.isLine) || b.score - a.score);
    const best = scored.slice(0, maxTried).find(({ piece }) => isMatch(text.slice(piece.from, piece.to)));
    if (best !== undefined) return best.piece;
    return first === undefined ? { from: 0, to: 0 } : (splitSentences(text, first).next().value ?? first);
  };
}

/** Sentences that look right and have no match are rare. */
const maxTried = 8;

const withoutAccents = (text: string) =>
  /[\u00c0-\u036f\u1e00-\u1eff]/.test(text) ? text.normalize('NFD').replace(/\p{Mn}+/gu, '') : text;

/** Common prefix of all words of a stem: "query" has the stem "queri". */
function beginningOf(term: string): string {
  return term.length > 3 && /[iy]$/.test(term) ? term.slice(0, -1) : term;
}
