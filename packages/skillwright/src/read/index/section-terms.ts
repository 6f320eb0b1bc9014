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
  /** Valid until the next section is read. */
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

/** Creates readers that share their tables. */
export function createSectionReader(
  scan: RunScanner,
): (file: { readonly path: string; readonly text: string }) => SectionReader {
  const numbers = createNumberRow();
  const readTerms = (text: string): Terms => {
    numbers.clear();
    return {
      ...appendTerms(text, numbers, { scan, range: { from: 0, to: text.length } }),
      numbers: numbers.copy(),
    };
  };
  return (file) => {
    const path = readTerms(file.path);
    // A heading is analysed once for its own section and all subsections.
    const known = new Map<string, Terms>();
    const readHeading = (text: string): Terms => {
      const terms = known.get(text) ?? readTerms(text);
      known.set(text, terms);
      return terms;
    };
    // The headings above affect the score, but do not make a section match. Consecutive sections often share them.
    let above: readonly string[] = [];
    let context = distinctNumbers([path.numbers]);
    const readContext = (ancestors: readonly string[]): Int32Array => {
      if (ancestors.length !== above.length || ancestors.some((text, index) => text !== above[index])) {
        above = ancestors;
        context = distinctNumbers([path, ...ancestors.map(readHeading)].map((terms) => terms.numbers));
      }
      return context;
    };
    return (section) => {
      const heading = readHeading(section.heading);
      const context = readContext(section.ancestors);
      numbers.clear();
      numbers.push(heading.numbers.length);
      numbers.push(context.length);
      heading.numbers.forEach(numbers.push);
      context.forEach(numbers.push);
      const start = numbers.length();
      const { preface, from, to } = section;
      const before = appendTerms(preface, numbers, { scan, range: { from: 0, to: preface.length } });
      const own = appendTerms(file.text, numbers, { scan, range: { from, to } });
      return {
        file: path.terms,
        section: heading.terms,
        content: before.terms + own.terms,
        grams: heading.grams + before.grams + own.grams + path.grams,
        terms: numbers.bytes(),
        headingLength: heading.numbers.length,
        contentLength: numbers.length() - start,
      };
    };
  };
}

interface Terms {
  readonly terms: string;
  readonly grams: string;
  readonly numbers: Int32Array;
}

let readings = 0;

/** The terms of a range of text; adds its numbers to the row. */
function appendTerms(
  text: string,
  numbers: NumberRow,
  { scan, range }: { scan: RunScanner; range: { from: number; to: number } },
): Omit<Terms, 'numbers'> {
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
  return { terms, grams };
}

const distinctNumbers = (rows: readonly Int32Array[]): Int32Array =>
  Int32Array.from(new Set(rows.flatMap((row) => [...row])));

type NumberRow = ReturnType<typeof createNumberRow>;

/** A reusable row of 32-bit numbers: allocating one per section takes longer than filling it. */
function createNumberRow() {
  let numbers = new Int32Array(4096);
  let count = 0;
  return {
    push(number: number): void {
      if (count === numbers.length) {
        const longer = new Int32Array(2 * count);
        longer.set(numbers);
        numbers = longer;
      }
      numbers[count++] = number;
    },
    length: () => count,
    clear(): void {
      count = 0;
    },
    copy: () => numbers.slice(0, count),
    bytes: () => new Uint8Array(numbers.buffer, 0, 4 * count),
  };
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
