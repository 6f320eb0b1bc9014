// One file as the sections that can be found in it.

import { splitLines } from '../files/read-text.ts';
import { readFrontmatter } from '../format/frontmatter.ts';
import type { Heading } from '../markdown/heading.ts';
import { readMarkdown } from '../markdown/read-markdown.ts';

/** A stretch of a file. `content` is its own text, without its heading and without the sections below it. */
export interface Section {
  /** The text of its heading; '' before the first heading and in files that are not Markdown. */
  readonly heading: string;
  readonly anchor: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly ancestors: readonly string[];
  readonly content: string;
}

/** The headings and sections of one file. */
export interface FileSections {
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** True for the files whose headings count. */
export function isMarkdownPath(path: string): boolean {
  return /\.md$/i.test(path);
}

/** Reads Markdown by section, and every other text as one section. */
export function readSections(path: string, text: string): FileSections {
  if (isMarkdownPath(path)) return readMarkdownSections(text);
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const section = { heading: '', anchor: '', startLine: 1, endLine: splitLines(content).length, ancestors: [], content };
  return { headings: [], sections: content.trim() === '' ? [] : [section] };
}

function readMarkdownSections(text: string): FileSections {
  const frontmatter = readFrontmatter(text);
  const { headings } = readMarkdown(frontmatter.body, { firstLine: frontmatter.bodyLine });
  const lines = splitLines(frontmatter.body);
  const textBetween = (first: number, last: number): string =>
    lines.slice(Math.max(0, first - frontmatter.bodyLine), last - frontmatter.bodyLine + 1).join('\n');

  const sections: Section[] = [];
  const described = describe(frontmatter);
  const endLine = (headings[0]?.line ?? frontmatter.bodyLine + lines.length) - 1;
  const opening = textBetween(frontmatter.bodyLine, endLine);
  const content = [described, opening].filter((part) => part.trim() !== '').join('\n\n');
  if (content !== '') {
    const startLine = described === '' ? frontmatter.bodyLine : 1;
    sections.push({ heading: '', anchor: '', startLine, endLine: Math.max(startLine, endLine), ancestors: [], content });
  }

  const above: Heading[] = [];
  for (const heading of headings) {
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    sections.push({
      heading: heading.text,
      anchor: heading.anchor,
      startLine: heading.line,
      endLine: heading.ownEndLine,
      ancestors: above.map((ancestor) => ancestor.text),
      content: withoutHeading(textBetween(heading.line, heading.ownEndLine)),
    });
    above.push(heading);
  }
  return { headings, sections };
}

/** What the frontmatter says in words; frontmatter that cannot be read is text like any other. */
function describe({ data, yaml }: { data: Record<string, unknown> | undefined; yaml: string }): string {
  if (data === undefined) return yaml.trim();
  return ['name', 'title', 'description', 'when_to_use']
    .map((field) => (Object.hasOwn(data, field) ? data[field] : undefined))
    .filter((value) => typeof value === 'string')
    .join('\n');
}

/** Takes off one line, or for a heading underlined with `=` or `-` everything down to the underline. */
function withoutHeading(text: string): string {
  const underlined = /^(?! {0,3}#{1,6}(?:[ \t]|$))(?:.+\n)+? {0,3}(?:=+|-+)[ \t]*(?:\n|$)/.exec(text);
  if (underlined) return text.slice(underlined[0].length);
  const end = text.indexOf('\n');
  return end < 0 ? '' : text.slice(end + 1);
}
