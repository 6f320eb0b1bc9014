// The words of one section in the two forms the index keeps: text for the FTS5 table, which finds candidates, and a
// row of numbers for each section, from which candidates are weighed without reading their text.

import { type RunAnalyzer, runPattern } from './analyze-text.ts';

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
export function analyzeSection(text: SectionText, analyze: RunAnalyzer): SectionTerms {
  const grams: string[] = [];
  const read = (source: string, terms: string[], hashes: number[]): void => {
    for (const run of source.match(runPattern) ?? []) {
      const analysis = analyze(run);
      for (const word of analysis.words) {
        terms.push(word.term);
        if (!word.stop) hashes.push(word.hash);
        for (const part of word.parts) {
          terms.push(part.term);
          if (!part.stop) hashes.push(part.hash);
        }
      }
      for (const gram of analysis.grams) grams.push(gram);
    }
  };
  const file: string[] = [];
  const section: string[] = [];
  const content: string[] = [];
  const headingHashes: number[] = [];
  const contextHashes: number[] = [];
  const contentHashes: number[] = [];
  read(text.heading, section, headingHashes);
  read(text.content, content, contentHashes);
  read(text.file, file, contextHashes);
  // What stands above counts when weighing, but does not make a section match.
  const matching = grams.length;
  for (const ancestor of text.ancestors) read(ancestor, [], contextHashes);
  grams.length = matching;
  return {
    file: file.join(' '),
    section: section.join(' '),
    content: content.join(' '),
    grams: grams.join(' '),
    terms: packTerms(headingHashes, [...new Set(contextHashes)], contentHashes),
    headingLength: headingHashes.length,
    contentLength: contentHashes.length,
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
