// A section and its text. Reading text that was indexed needs none of what it takes to find sections.

/** True for a file that is read by section: one whose headings count. */
export function hasSections(path: string): boolean {
  return /\.md$/i.test(path);
}

/** A stretch of a file. */
export interface Section {
  /** The place of its heading among all headings of the file; -1 for text before the first heading. */
  readonly place: number;
  /** The text of its heading; '' before the first heading and in files that are not Markdown. */
  readonly heading: string;
  readonly anchor: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly ancestors: readonly string[];
  /** What the frontmatter says in words, for the text after it; otherwise ''. */
  readonly preface: string;
  /** Where in the file its own text stands, without its heading and without the sections below it. */
  readonly from: number;
  readonly to: number;
}

/** The text of a section: its preface and its own text. */
export function sectionContent(text: string, section: Pick<Section, 'preface' | 'from' | 'to'>): string {
  const own = text.slice(section.from, section.to);
  return section.preface === '' ? own : `${section.preface}\n\n${own}`;
}
