// The words of one section in the two forms the index stores: text for the FTS5 table, which finds candidates, and a
// row of numbers per section, which scores candidates without reading their text.

import type { RunScanner } from '../../base/words/index.ts';
import type { Section } from './section.ts';

/** The columns of the FTS5 table, and the numbers. */
interface SectionTerms {
  readonly file: string;
  readonly section: string;
  readonly content: string;
  readonly grams: string;
  readonly terms: Uint8Array;
  readonly headingLength: number;
  readonly contentLength: number;
}

/** Numbers of one section without stop words: heading, then path and headings above, then the text in order. */
interface TermVectors {
  readonly heading: Int32Array;
  readonly context: Int32Array;
  readonly content: Int32Array;
}

/** Reads the terms of the sections of one file, in order. */
type SectionReader = (section: Section) => SectionTerms;

/** Creates readers that share a scanner. */
export function createSectionReader(
  scan: RunScanner,
): (file: { readonly path: string; readonly text: string }) => SectionReader {
  return (file) => {
    const path = readTerms(file.path, scan);
    // A heading is analysed once for its own section and all subsections.
    const known = new Map<string, Terms>();
    const readHeading = (text: string): Terms => {
      const terms = known.get(text) ?? readTerms(text, scan);
      known.set(text, terms);
      return terms;
    };
    return ({ heading: title, ancestors, preface, from, to }) => {
      const heading = readHeading(title);
      // The headings above affect the score, but do not make a section match.
      const context = new Set(path.numbers);
      for (const above of ancestors) for (const number of readHeading(above).numbers) context.add(number);
      const before = readTerms(preface, scan);
      const own = readTerms(file.text, scan, { from, to });
      const parts = [heading.numbers, [...context], before.numbers, own.numbers];
      const packed = new Int32Array(parts.reduce((sum, { length }) => sum + length, 2));
      packed[0] = heading.numbers.length;
      packed[1] = context.size;
      let place = 2;
      for (const part of parts) {
        packed.set(part, place);
        place += part.length;
      }
      return {
        file: path.terms,
        section: heading.terms,
        content: before.terms + own.terms,
        grams: heading.grams + before.grams + own.grams + path.grams,
        terms: new Uint8Array(packed.buffer),
        headingLength: heading.numbers.length,
        contentLength: before.numbers.length + own.numbers.length,
      };
    };
  };
}

interface Terms {
  readonly terms: string;
  readonly grams: string;
  readonly numbers: readonly number[];
}

let readings = 0;

/** The terms of a text, or of a range of it. */
function readTerms(text: string, scan: RunScanner, range = { from: 0, to: text.length }): Terms {
  const numbers: number[] = [];
  let terms = '';
  let grams = '';
  const reading = ++readings;
  scan(
    text,
    (analysis) => {
      const { hashes } = analysis;
      for (let index = 0; index < hashes.length; index++) numbers.push(hashes[index] as number);
      if (analysis.grams.length > 0) grams += `${analysis.grams.join(' ')} `;
      // FTS5 only finds candidates, so the frequency of a word does not matter.
      if (analysis.lastReading === reading) return;
      analysis.lastReading = reading;
      terms += analysis.terms;
    },
    range,
  );
  return { terms, grams, numbers };
}

/** Unpacks the numbers. */
export function unpackTerms(bytes: Uint8Array): TermVectors {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const packed = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
  const headingEnd = 2 + (packed[0] ?? 0);
  const contextEnd = headingEnd + (packed[1] ?? 0);
  return {
    heading: packed.subarray(2, headingEnd),
    context: packed.subarray(headingEnd, contextEnd),
    content: packed.subarray(contextEnd),
  };
}
