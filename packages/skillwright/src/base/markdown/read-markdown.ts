/** The one reading of Markdown: CommonMark headings, code blocks, links and comments with their lines. */

import { type CodeBlock, listCodeBlocks } from './code-block.ts';
import type { Comment } from './comment.ts';
import { type Heading, listHeadings } from './heading.ts';
import { findLinksAndComments, type Link } from './link.ts';
import { type Blocks, parseBlocks } from './parse-blocks.ts';

/** A parsed document. Links and comments are found on first use, because many callers need headings only. */
export interface MarkdownDocument {
  /** The lines of the text that was read, whatever the number of its first line. */
  readonly lineCount: number;
  readonly headings: readonly Heading[];
  /** Headings beyond the most that are listed. */
  readonly moreHeadings: number;
  readonly codeBlocks: readonly CodeBlock[];
  readonly links: readonly Link[];
  readonly comments: readonly Comment[];
}

/**
 * Reads a Markdown text without frontmatter. `firstLine` is the number of its first line inside the file, so
 * that every reported line is one of the file's. Never throws, whatever the text.
 */
export function readMarkdown(text: string, options: { firstLine?: number } = {}): MarkdownDocument {
  return new LazyDocument(parseBlocks(text), options.firstLine ?? 1);
}

/**
 * A class because an object literal with getters gets a hidden class of its own for each document in V8. That
 * keeps the tokens of documents long gone alive, and made reading small documents take twice the time.
 */
class LazyDocument implements MarkdownDocument {
  readonly lineCount: number;
  readonly headings: readonly Heading[];
  readonly moreHeadings: number;
  readonly codeBlocks: readonly CodeBlock[];
  readonly #blocks: Blocks;
  readonly #firstLine: number;
  #found: ReturnType<typeof findLinksAndComments> | undefined;

  constructor(blocks: Blocks, firstLine: number) {
    this.lineCount = blocks.lineCount;
    this.headings = listHeadings(blocks, firstLine);
    this.moreHeadings = blocks.moreHeadings;
    this.codeBlocks = listCodeBlocks(blocks, firstLine);
    this.#blocks = blocks;
    this.#firstLine = firstLine;
  }

  get links(): readonly Link[] {
    return this.#find().links;
  }

  get comments(): readonly Comment[] {
    return this.#find().comments;
  }

  #find(): ReturnType<typeof findLinksAndComments> {
    this.#found ??= findLinksAndComments(this.#blocks, this.#firstLine);
    return this.#found;
  }
}
