// The one reading of Markdown: headings, sections, links.

export type { CodeBlock } from './code-block.ts';
export { collapseSpace } from './collapse-space.ts';
export type { Comment } from './comment.ts';
export { foldText } from './fold-text.ts';
export type { Heading } from './heading.ts';
export type { Link } from './link.ts';
export { MAX_HEADINGS } from './max-headings.ts';
export { type MarkdownDocument, readMarkdown } from './read-markdown.ts';
export { slugify } from './slugify.ts';
