// The words of one section in the two forms the index keeps: text for the FTS5 table, which finds candidates, and a
// row of numbers for each section, from which candidates are weighed without reading their text.

import type { RunScanner } from './scan-runs.ts';

/** What one section says, where it stands and what stands above it. */
export interface SectionText {
  readonly file: string;
  readonly heading: string;
  /** The headings above it. */
  readonly ancestors: readonly string[];
  readonly content: string;
}

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

/** Analyzes one section. */
export function analyzeSection(text: SectionText, scan: RunScanner): SectionTerms {
  const grams: string[] = [];
  const read = (source: string): { terms: string; hashes: number[] } => {
    const terms: string[] = [];
    const hashes: number[] = [];
    scan(source, (analysis) => {
      terms.push(analysis.terms);
      for (const hash of analysis.hashes) hashes.push(hash);
      for (const gram of analysis.grams) grams.push(gram);
    });
    return { terms: terms.join(' '), hashes };
  };
  const file = read(text.file);
  const section = read(text.heading);
  const content = read(text.content);
  // What stands above counts when weighing, but does not make a section match.
  const matchingGrams = grams.join(' ');
  const above = text.ancestors.flatMap((ancestor) => read(ancestor).hashes);
  return {
    file: file.terms,
    section: section.terms,
    content: content.terms,
    grams: matchingGrams,
    terms: packTerms(section.hashes, [...new Set([...file.hashes, ...above])], content.hashes),
    headingLength: section.hashes.length,
    contentLength: content.hashes.length,
  };
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
