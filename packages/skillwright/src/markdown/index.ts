/** Reading Markdown, and the text forms that finding a heading needs. */

export type { CodeBlock } from './code-block.ts';
export type { Comment } from './comment.ts';
export { foldText } from './fold-text.ts';
export type { Heading } from './heading.ts';
export type { Link } from './link.ts';
export { type MarkdownDocument, readMarkdown } from './read-markdown.ts';
export { slugify } from './slugify.ts';
