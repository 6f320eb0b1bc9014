// A section of a file, and the answer of a search.

/** True for a file that is split into sections by its headings. */
export function hasSections(path: string): boolean {
  return /\.md$/i.test(path);
}

/** The kind of content of a file, by its name. */
export type TextKind = 'prose' | 'code' | 'data';

/** The kind of a file: text for people, data and schemas, or else code. */
export function textKind(path: string): TextKind {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return prose.has(ending) ? 'prose' : data.has(ending) ? 'data' : 'code';
}

const prose: ReadonlySet<string> = new Set('md mdx markdown txt rst adoc'.split(' '));
const data: ReadonlySet<string> = new Set(
  'json jsonl jsonc json5 yaml yml toml ini cfg csv tsv xml xsd dtd svg proto graphql lock log'.split(' '),
);

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
  /** Words of the query that the section does not have; absent when it has all, or when the query is a question. */
  readonly missing?: readonly string[];
  /** Present when it was read after a similar query. */
  readonly read_before?: true;
  /** Higher is better; only comparable within one answer. */
  readonly score: number;
}

/** Results of a query. `relaxed`: no section has all of its words. */
export interface SearchAnswer {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly relaxed: boolean;
  /** Words that the skill does not have, and its own words that were looked for instead. */
  readonly instead?: readonly { readonly word: string; readonly by: readonly string[] }[];
}
