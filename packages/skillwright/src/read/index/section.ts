// A section of a file, and the answer of a search.

/** True for a file that is split into sections by its headings. */
export function hasSections(path: string): boolean {
  return /\.md$/i.test(path);
}

/** A range of a file. */
export interface Section {
  /** Index of its heading among all headings of the file; -1 for text before the first heading. */
  readonly place: number;
  /** Text of its heading; '' before the first heading and in files that are not Markdown. */
  readonly heading: string;
  readonly anchor: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly ancestors: readonly string[];
  /** Text of the frontmatter's values, for the text after it; otherwise ''. */
  readonly preface: string;
  /** Range of its own text in the file, without its heading and subsections. */
  readonly from: number;
  readonly to: number;
}

/** Text of a section: its preface and its own text. */
export function sectionContent(text: string, section: Pick<Section, 'preface' | 'from' | 'to'>): string {
  const own = text.slice(section.from, section.to);
  return section.preface === '' ? own : `${section.preface}\n\n${own}`;
}

/** A found section. Its lines cover its own text and its heading. */
export interface SearchResult {
  readonly file: string;
  readonly section: string;
  readonly anchor: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Level of its heading; 0 for text without one. */
  readonly level: number;
  /** Line where the snippet starts, for text without a heading. */
  readonly passage?: number | undefined;
  /** The heading with its matches marked, if any. */
  readonly heading?: string;
  readonly snippet: string;
  /** Higher is better; only comparable within one answer. */
  readonly score: number;
}

/** Results of a query. `relaxed`: results need not contain all of its words. */
export interface SearchAnswer {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly relaxed: boolean;
}
