// A section and its text. Separate, so that reading indexed text does not load the code that finds sections.

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
