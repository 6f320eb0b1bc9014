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

/** Analyzes a section of the file whose path and text are given. */
export function analyzeSection(
  section: Section,
  source: { path: string; text: string },
  scan: RunScanner,
): SectionTerms {
  const file = readTerms(source.path, scan);
  const heading = readTerms(section.heading, scan);
  const content = readTerms(source.text, scan, section);
  if (section.preface !== '') {
    const preface = readTerms(section.preface, scan);
    content.terms = `${preface.terms}${content.terms}`;
    content.grams = `${preface.grams}${content.grams}`;
    content.hashes.unshift(...preface.hashes);
  }
  // What stands above counts when weighing, but does not make a section match.
  const above = section.ancestors.flatMap((ancestor) => readTerms(ancestor, scan).hashes);
  return {
    file: file.terms,
    section: heading.terms,
    content: content.terms,
    grams: `${heading.grams}${content.grams}${file.grams}`,
    terms: packTerms(heading.hashes, [...new Set([...file.hashes, ...above])], content.hashes),
    headingLength: heading.hashes.length,
    contentLength: content.hashes.length,
  };
}

interface Terms {
  terms: string;
  grams: string;
  readonly hashes: number[];
}

function readTerms(text: string, scan: RunScanner, range?: { from: number; to: number }): Terms {
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
