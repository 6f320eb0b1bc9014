// Counts the words of texts. Bodies are most of the text of a catalog: a word that is known allocates nothing.

import { type Analysis, hashBeginning, scannerFor } from '../../base/words/index.ts';
import { enlarge, type TermTable } from './term-table.ts';

/** Words of one text by number. Valid until the next text; only the beginning of each array is used. */
export interface TextWords {
  /** Number of words without stop words, and how many of them are in headings. */
  readonly length: number;
  readonly headingLength: number;
  /** The words in order. */
  readonly order: Int32Array;
  /** The distinct words, their number, and for each word its count in total and in headings. */
  readonly distinct: Int32Array;
  readonly distinctLength: number;
  readonly counts: Int32Array;
  readonly headingCounts: Int32Array;
}

/** Counts the words of texts. */
interface TextReader {
  read(text: string): TextWords;
  /** Hash of the prefix of a word; 0 when it is too short. */
  beginningOf(term: number): number;
}

/** Creates a reader that numbers words by a table. */
export function createTextReader(terms: TermTable): TextReader {
  const scan = scannerFor('porter');
  let beginnings: Int32Array = new Int32Array(0);
  let order: Int32Array = new Int32Array(1024);
  let distinct: Int32Array = new Int32Array(1024);
  let counts: Int32Array = new Int32Array(0);
  let headingCounts: Int32Array = new Int32Array(0);
  let length = 0;
  let headingLength = 0;
  let distinctLength = 0;
  let isHeading = false;

  /** Numbers the words of a run. */
  const learn = (analysis: Analysis): readonly number[] => {
    const numbers = analysis.hashes.map(terms.numberOf);
    if (terms.size > counts.length) {
      const size = 1.5 * terms.size;
      [beginnings, counts, headingCounts] = [
        enlarge(beginnings, size),
        enlarge(counts, size),
        enlarge(headingCounts, size),
      ];
    }
    for (const { term, hash, stop } of analysis.words)
      if (!stop) beginnings[terms.find(hash)] = hashBeginning(term);
    analysis.numbered = { by: terms, numbers };
    return numbers;
  };
  const visit = (analysis: Analysis): void => {
    const { numbered } = analysis;
    const numbers = numbered?.by === terms ? numbered.numbers : learn(analysis);
    for (let at = 0; at < numbers.length; at++) {
      const word = numbers[at] as number;
      if (length === order.length) {
        order = enlarge(order, 2 * length);
        distinct = enlarge(distinct, 2 * length);
      }
      order[length++] = word;
      if (counts[word] === 0) distinct[distinctLength++] = word;
      counts[word] = (counts[word] as number) + 1;
      if (!isHeading) continue;
      headingCounts[word] = (headingCounts[word] as number) + 1;
      headingLength += 1;
    }
  };

  return {
    beginningOf: (term) => beginnings[term] as number,
    read(text) {
      for (let at = 0; at < distinctLength; at++) {
        const word = distinct[at] as number;
        counts[word] = 0;
        headingCounts[word] = 0;
      }
      length = 0;
      headingLength = 0;
      distinctLength = 0;
      let fence = '';
      // This only affects weights, and is many times faster than parsing the Markdown of thousands of skills.
      for (let from = 0; from < text.length; ) {
        const to = text.indexOf('\n', from) + 1 || text.length;
        const first = text.charAt(from);
        if ((first === '`' || first === '~') && text.startsWith(first.repeat(3), from))
          fence = fence === '' ? first : fence === first ? '' : fence;
        isHeading = first === '#' && fence === '';
        scan(text, visit, { from, to });
        from = to;
      }
      isHeading = false;
      return { length, headingLength, order, distinct, distinctLength, counts, headingCounts };
    },
  };
}
