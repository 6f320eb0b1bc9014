// Splits one file into searchable sections.

import { type Heading, readMarkdown } from '../../base/markdown/index.ts';
import { readFrontmatter } from '../../skill/format/index.ts';
import { hasSections, type Section } from './section.ts';

/** The headings and sections of one file. */
interface FileSections {
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** Headings beyond the limit. */
  readonly moreHeadings: number;
  /** The first heading and the line where the text before it starts, if there is any: it belongs to its section. */
  readonly lead?: { readonly heading: Heading; readonly line: number } | undefined;
}

/** How much of a file to read: `headings` skips all other text. */
export type Extent = 'whole' | 'headings';

/** Reads Markdown by section, and every other text as one section. */
export function readSections(path: string, text: string, extent: Extent = 'whole'): FileSections {
  if (hasSections(path)) return readMarkdownSections(text, extent);
  const none = { headings: [], sections: [], moreHeadings: 0 };
  if (text.trim() === '' || extent === 'headings') return none;
  const endLine = findLines(text, 0).length;
  const section = { place: -1, heading: '', anchor: '', startLine: 1, endLine, ancestors: [], preface: '' };
  return { ...none, sections: [{ ...section, from: 0, to: text.length }] };
}

function readMarkdownSections(text: string, extent: Extent): FileSections {
  const { data, yaml, body, bodyLine } = readFrontmatter(text);
  const { headings, moreHeadings } = readMarkdown(body, { firstLine: bodyLine });
  const lines = findLines(text, text.length - body.length);
  const startOf = (line: number): number => lines[line - bodyLine] ?? text.length;

  const sections: Section[] = [];
  const preface = prefaceOf(data, yaml);
  const endLine = (headings[0]?.line ?? bodyLine + lines.length) - 1;
  const [from, to] = [startOf(bodyLine), startOf(endLine + 1)];
  if (extent === 'whole' && (preface !== '' || text.slice(from, to).trim() !== '')) {
    const startLine = preface === '' ? bodyLine : 1;
    const place = { startLine, endLine: Math.max(startLine, endLine), from, to };
    sections.push({ place: -1, heading: '', anchor: '', ancestors: [], preface, ...place });
  }

  const above: Heading[] = [];
  for (const [place, heading] of headings.entries()) {
    // Headings in quotations and lists are text of the section around them.
    if (heading.nested) continue;
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    const [start, end] = [startOf(heading.line), startOf(heading.ownEndLine + 1)];
    sections.push({
      place,
      heading: heading.text,
      anchor: heading.anchor,
      startLine: heading.line,
      endLine: heading.ownEndLine,
      ancestors: above.map((ancestor) => ancestor.text),
      preface: '',
      from: extent === 'whole' ? start + headingLength(text.slice(start, end)) : end,
      to: end,
    });
    above.push(heading);
  }
  const first = headings.find(({ nested }) => !nested);
  const before = first === undefined ? '' : text.slice(from, startOf(first.line));
  const isText = before.replace(/<!--[\s\S]*?-->/g, '').trim() !== '';
  const line = bodyLine + findLines(blankLines.exec(before)![0], 0).length;
  return { headings, sections, moreHeadings, lead: isText ? { heading: first!, line } : undefined };
}

const blankLines = /^(?:[ \t]*(?:\r\n?|\n))*/;

/** Start of each line from `from` on; a final line end does not start another line. */
function findLines(text: string, from: number): number[] {
  const starts: number[] = [];
  const endOf = text.includes('\r') ? findLineEnd : findLineFeed;
  for (let start = from; start < text.length; start = endOf(text, start)) starts.push(start);
  return starts;
}

/** Offset after the next line end. */
function findLineFeed(text: string, from: number): number {
  return text.indexOf('\n', from) + 1 || text.length;
}

function findLineEnd(text: string, from: number): number {
  lineEnd.lastIndex = from;
  return lineEnd.test(text) ? lineEnd.lastIndex : text.length;
}

const lineEnd = /\r\n?|\n/g;

/** Text of the frontmatter's values; unreadable frontmatter counts as ordinary text. */
function prefaceOf(data: Record<string, unknown> | undefined, yaml: string): string {
  if (data === undefined) return yaml.trim();
  return ['name', 'title', 'description', 'when_to_use']
    .map((field) => (Object.hasOwn(data, field) ? data[field] : undefined))
    .filter((value) => typeof value === 'string')
    .join('\n');
}

const marked = /^ {0,3}#{1,6}(?:[ \t]|[\r\n]|$)/;
const firstLine = /^[^\r\n]*(?:\r\n?|\n|$)/;
const underlined = /^(?:[^\r\n]+(?:\r\n?|\n))+? {0,3}(?:=+|-+)[ \t]*(?:\r\n?|\n|$)/;

/** Length of the heading at the start of a section: one line, or everything down to a line of `=` or `-`. */
function headingLength(text: string): number {
  const pattern = marked.test(text) ? firstLine : underlined;
  return (pattern.exec(text) ?? firstLine.exec(text))?.[0].length ?? 0;
}
