/** The headings of a document and the lines of their sections. */

import type { Env } from 'markdown-it';
import { cutText } from '../diagnostics/index.ts';
import { collapseSpace } from './fold-text.ts';
import type { BlockHeading, Blocks } from './parse-blocks.ts';
import { maxInlineLength, parseInline, readPlainText } from './parse-inline.ts';
import { createAnchors } from './slugify.ts';

/**
 * A heading. Lines count from 1 in the whole file. The section of one inside a block quote or a list item ends with
 * that; it does not end the section around it, and its text is part of that one.
 */
export interface Heading {
  /** 1 to 6. */
  level: number;
  /** The rendered text, cut when very long: no markup, images as their alternative text, white space collapsed. */
  text: string;
  /** The same as it is written, with its markup. */
  source: string;
  /** GitHub's anchor, unique in the document. */
  anchor: string;
  /** The first line of the heading. */
  line: number;
  /** The last line of the section: before the next heading of the same or a higher level. */
  endLine: number;
  /** The last line before the next heading of any level. */
  ownEndLine: number;
  /** True for one inside a block quote or a list item. */
  nested: boolean;
}

/** A longer heading is cut: it is a paragraph that somebody marked as one, and would be repeated wherever headings are. */
const MAX_HEADING = 1000;

const cutHeading = (text: string) => cutText(text, MAX_HEADING);

const markup = /[\\`*_[\n]|<[a-z/!?]|&[a-z#]/i;

/** Lists the headings in order. */
export function listHeadings(blocks: Blocks, firstLine: number): Heading[] {
  const lastLine = firstLine + blocks.lineCount - 1;
  const makeAnchor = createAnchors();
  const groups = new Map<BlockHeading['container'], Heading[]>();
  const headings = blocks.headings.map(({ level, content, line, container }) => {
    const { text, anchorText } = readHeadingText(content, blocks.env);
    const endOf = (line = blocks.lineCount) => Math.min(lastLine, firstLine + line - 1);
    const end = container?.map ? endOf(container.map[1]) : endOf(blocks.endings[level]);
    const heading = {
      level,
      text: cutHeading(collapseSpace(text)),
      source: cutHeading(collapseSpace(content)),
      anchor: makeAnchor(anchorText.slice(0, MAX_HEADING)),
      line: firstLine + line,
      endLine: end,
      ownEndLine: container?.map ? end : endOf(blocks.endings[6]),
      nested: container !== undefined,
    };
    const group = groups.get(container);
    if (group === undefined) groups.set(container, [heading]);
    else group.push(heading);
    return heading;
  });
  for (const group of groups.values()) closeSections(group);
  return headings;
}

/** GitHub makes the anchor from the text alone: an image gives nothing, a run of spaces stays, a line break goes. */
function readHeadingText(content: string, env: Env): { text: string; anchorText: string } {
  if (content.length > maxInlineLength || !markup.test(content))
    return { text: content, anchorText: content };
  const tokens = parseInline(content, env);
  return { text: readPlainText(tokens), anchorText: readPlainText(tokens, 'nothing') };
}

function closeSections(headings: readonly Heading[]): void {
  const open: Heading[] = [];
  let previous: Heading | undefined;
  for (const heading of headings) {
    if (previous) previous.ownEndLine = heading.line - 1;
    previous = heading;
    for (let last = open.at(-1); last && last.level >= heading.level; last = open.at(-1)) {
      last.endLine = heading.line - 1;
      open.pop();
    }
    open.push(heading);
  }
}
