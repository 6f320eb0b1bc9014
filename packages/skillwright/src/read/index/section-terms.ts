// The words of one section in the two forms the index keeps: text for the FTS5 table, which finds candidates, and a
// row of numbers for each section, from which candidates are weighed without reading their text.

import { stemBits } from './analyze-text.ts';
import type { RunScanner } from './scan-runs.ts';
import type { Section } from './section.ts';

/** The columns of the FTS5 table, and the numbers. */
export interface SectionTerms {
  readonly file: string;
  readonly section: string;
  readonly content: string;
  readonly grams: string;
  /** To be used before the next section is read. */
  readonly terms: Uint8Array;
  readonly headingLength: number;
  readonly contentLength: number;
}

/** The numbers of one section, stop words left out: heading, then path and headings above, then the text in order. */
export interface TermVectors {
  readonly heading: Int32Array;
  readonly context: Int32Array;
  readonly content: Int32Array;
}

/** Reads the terms of the sections of one file, in their order. */
export type SectionReader = (section: Section) => SectionTerms;

/** Makes readers that share what they need for their work. */
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
    // A heading is read once for its own section and all below it.
    const known = new Map<string, Terms>();
    const readHeading = (text: string): Terms => {
      const terms = known.get(text) ?? readTerms(text);
      known.set(text, terms);
      return terms;
    };
    // What stands above counts when weighing, but does not make a section match. Sections in a row often share it.
    let above: readonly string[] = [];
    let context = distinctStems([path.numbers]);
    const readContext = (ancestors: readonly string[]): Int32Array => {
      if (ancestors.length !== above.length || ancestors.some((text, index) => text !== above[index])) {
        above = ancestors;
        context = distinctStems([path, ...ancestors.map(readHeading)].map((terms) => terms.numbers));
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

/** The terms of a stretch of text; its numbers are added to the row. */
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
      // FTS5 only has to find candidates, for which it does not matter how often a word occurs.
      if (analysis.lastReading === reading) return;
      analysis.lastReading = reading;
      terms += analysis.terms;
    },
    range,
  );
  return { terms, grams };
}

function distinctStems(rows: readonly Int32Array[]): Int32Array {
  const stems = new Set<number>();
  for (const row of rows) for (const number of row) stems.add(number & stemBits);
  return Int32Array.from(stems);
}

type NumberRow = ReturnType<typeof createNumberRow>;

/** A row of 32-bit numbers that is used again and again: allocating one for each section takes longer than filling it. */
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

/** The numbers as they were packed. */
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
