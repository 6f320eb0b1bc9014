/** The one reading of Markdown: CommonMark headings, code blocks, links and comments with their lines. */

import { type CodeBlock, listCodeBlocks } from './code-block.ts';
import type { Comment } from './comment.ts';
import { type Heading, listHeadings } from './heading.ts';
import { findLinksAndComments, type Link } from './link.ts';
import { parseBlocks } from './parse-blocks.ts';

/** What was read. Links and comments are looked for when first asked for: many readers want headings only. */
export interface MarkdownDocument {
  /** The lines of the text that was read, whatever the number of its first line. */
  readonly lineCount: number;
  readonly headings: readonly Heading[];
  readonly codeBlocks: readonly CodeBlock[];
  readonly links: readonly Link[];
  readonly comments: readonly Comment[];
}

/**
 * Reads a Markdown text without frontmatter. `firstLine` is the number of its first line inside the file, so
 * that every reported line is one of the file's. Never throws, whatever the text.
 */
export function readMarkdown(text: string, options: { firstLine?: number } = {}): MarkdownDocument {
  const firstLine = options.firstLine ?? 1;
  const blocks = parseBlocks(text);
  let found: ReturnType<typeof findLinksAndComments> | undefined;
  const find = () => {
    found ??= findLinksAndComments(blocks, firstLine);
    return found;
  };
  return {
    lineCount: blocks.lineCount,
    headings: listHeadings(blocks, firstLine),
    codeBlocks: listCodeBlocks(blocks, firstLine),
    get links() {
      return find().links;
    },
    get comments() {
      return find().comments;
    },
  };
}
