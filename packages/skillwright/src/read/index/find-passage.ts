// Finds the sentence of a section that is worth analysing. One regular expression finds it, without regard for parts of
// words: a fast guess is better here than a slow exact answer.

import type { Word } from '../../base/words/index.ts';
import { type Block, splitBlocks, splitSentences } from './find-sentence.ts';
import type { TextKind } from './section.ts';

/** Of a longer piece, such as a line of generated code, only the text around its first match is analysed. */
const maxLength = 64 * 1024;

/** A word to show. */
export type ShownWord = Pick<Word, 'term' | 'grams'>;

/** Places of words in a query by how all their forms begin, and the expression that finds them. */
function readBeginnings(words: readonly ShownWord[]) {
  const places = new Map(words.map((word, place) => [beginningOf(word.term), place]));
  // The longest first, because the first match wins. Terms are letters, marks and digits and need no escaping.
  const beginnings = [...places.keys()].sort((a, b) => b.length - a.length);
  return { places, pattern: new RegExp(beginnings.join('|'), 'gi') };
}

/** The piece of a section to show, and its place in the text. */
interface ShownSentence {
  readonly from: number;
  readonly shown: string;
}

/**
 * Shows the piece of a section that has the most of a query: a sentence, or a line of code or of a table when no sentence
 * has any of it. Without a match, the first sentence. `cut` shortens it and marks the matches.
 */
export function createSentenceFinder(
  words: readonly ShownWord[],
  weights: readonly number[],
  cut: (text: string) => string,
): (text: string, kind: TextKind) => ShownSentence {
  const { places, pattern } = readBeginnings(words);
  return (text, kind) => {
    const hits = Array.from(withoutAccents(text).matchAll(pattern), ({ 0: match, index }) => ({
      at: index,
      place: places.get(match.toLowerCase()) ?? 0,
    }));
    // Its emphasis would mix with the marks of the matches.
    const show = ({ from, to }: Omit<Block, 'kind'>) => ({
      from,
      shown: cut(text.slice(from, to).replaceAll('**', '')),
    });
    const scored: { from: number; to: number; isLine: boolean; score: number }[] = [];
    let first: Block | undefined;
    let next = 0;
    for (const block of splitBlocks(text, kind)) {
      if (first === undefined || (first.kind === 'line' && block.kind === 'prose')) first = block;
      while ((hits[next]?.at ?? block.from) < block.from) next++;
      // Most blocks have no word of the query.
      if ((hits[next]?.at ?? block.to) >= block.to) continue;
      for (const { from, to } of splitSentences(text, block)) {
        const found = new Set<number>();
        const at = hits[next]?.at ?? from;
        for (; (hits[next]?.at ?? to) < to; next++) found.add(hits[next]!.place);
        const score = [...found].reduce((sum, place) => sum + (weights[place] as number), 0);
        const piece =
          to - from > maxLength
            ? { from: Math.max(from, at - maxLength / 4), to: Math.min(to, at + maxLength) }
            : { from, to };
        if (score > 0) scored.push({ ...piece, isLine: block.kind === 'line', score });
      }
    }
    scored.sort((a, b) => Number(a.isLine) - Number(b.isLine) || b.score - a.score);
    // Sentences that look right and have no match are rare.
    for (const piece of scored.slice(0, maxTried)) {
      const sentence = show(piece);
      if (sentence.shown.includes('[MATCH]')) return sentence;
    }
    return show((first && splitSentences(text, first).next().value) ?? { from: 0, to: 0 });
  };
}

const maxTried = 8;

/** The text with plain letters at the same places. */
const withoutAccents = (text: string) =>
  text.replace(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => letter.normalize('NFD').charAt(0));

/** Common prefix of all words of a stem: "query" has the stem "queri". */
function beginningOf(term: string): string {
  return term.length > 3 && /[iy]$/.test(term) ? term.slice(0, -1) : term;
}
