/** The headings of a document and the lines of their sections. */

import type { Env } from 'markdown-it';
import { collapseSpace } from './collapse-space.ts';
import type { Blocks } from './parse-blocks.ts';
import { maxInlineLength, parseInline } from './parse-inline.ts';
import { readPlainText } from './read-plain-text.ts';
import { createAnchors } from './slugify.ts';

/**
 * A heading at the top level of the document. One inside a block quote or a list item is not reported: its
 * section would cut its container apart. Lines count from 1 in the whole file.
 */
export interface Heading {
  /** 1 to 6. */
  level: number;
  /** What a reader sees: no markup, images as their alternative text, white space collapsed. */
  text: string;
  /** GitHub's anchor, unique in the document. */
  anchor: string;
  /** The first line of the heading. */
  line: number;
  /** The last line of the section: before the next heading of the same or a higher level. */
  endLine: number;
  /** The last line before the next heading of any level. */
  ownEndLine: number;
}

const markup = /[\\`*_[\n]|<[a-z/!?]|&[a-z#]/i;

/** Lists the headings in order. */
export function listHeadings(blocks: Blocks, firstLine: number): Heading[] {
  const lastLine = firstLine + blocks.lineCount - 1;
  const makeAnchor = createAnchors();
  const headings: Heading[] = [];
  blocks.tokens.forEach((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0) return;
    const content = readHeadingText(blocks.tokens[index + 1]?.content ?? '', blocks.env);
    headings.push({
      level: Number(token.tag.slice(1)),
      text: collapseSpace(content.text),
      anchor: makeAnchor(content.anchorText),
      line: firstLine + (token.map?.[0] ?? 0),
      endLine: lastLine,
      ownEndLine: lastLine,
    });
  });
  closeSections(headings);
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
