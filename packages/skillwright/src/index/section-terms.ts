// The words of one section in the two forms the index keeps: text for the FTS5 table, which finds candidates, and a
// row of numbers for each section, from which candidates are weighed without reading their text.

import type { RunScanner } from './scan-runs.ts';
import type { Section } from './section.ts';

/** The columns of the FTS5 table, and the numbers. */
export interface SectionTerms {
  readonly file: string;
  readonly section: string;
  readonly content: string;
  readonly grams: string;
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

/** Makes the analyzer for the sections of one file. */
export function createSectionAnalyzer(
  file: { readonly path: string; readonly text: string },
  scan: RunScanner,
): (section: Section) => SectionTerms {
  const path = readTerms(file.path, scan);
  // A heading is read once for its own section and all below it.
  const known = new Map<string, Terms>();
  const readHeading = (text: string): Terms => {
    const terms = known.get(text) ?? readTerms(text, scan);
    known.set(text, terms);
    return terms;
  };
  return (section) => {
    const heading = readHeading(section.heading);
    const preface = readTerms(section.preface, scan);
    const content = readTerms(file.text, scan, section);
    // What stands above counts when weighing, but does not make a section match.
    const context = new Set(path.hashes);
    for (const ancestor of section.ancestors)
      for (const hash of readHeading(ancestor).hashes) context.add(hash);
    const contentHashes =
      preface.hashes.length === 0 ? content.hashes : [...preface.hashes, ...content.hashes];
    return {
      file: path.terms,
      section: heading.terms,
      content: preface.terms + content.terms,
      grams: heading.grams + preface.grams + content.grams + path.grams,
      terms: packTerms(heading.hashes, [...context], contentHashes),
      headingLength: heading.hashes.length,
      contentLength: contentHashes.length,
    };
  };
}

interface Terms {
  readonly terms: string;
  readonly grams: string;
  readonly hashes: number[];
}

function readTerms(
  text: string,
  scan: RunScanner,
  range?: { readonly from: number; readonly to: number },
): Terms {
  let terms = '';
  let grams = '';
  const hashes: number[] = [];
  scan(
    text,
    (analysis) => {
      terms += `${analysis.terms} `;
      for (const hash of analysis.hashes) hashes.push(hash);
      if (analysis.grams.length > 0) grams += `${analysis.grams.join(' ')} `;
    },
    range,
  );
  return { terms, grams, hashes };
}

function packTerms(heading: number[], context: number[], content: number[]): Uint8Array {
  const packed = new Int32Array(2 + heading.length + context.length + content.length);
  packed[0] = heading.length;
  packed[1] = context.length;
  packed.set(heading, 2);
  packed.set(context, 2 + heading.length);
  packed.set(content, 2 + heading.length + context.length);
  return new Uint8Array(packed.buffer);
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
