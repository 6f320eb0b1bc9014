// The one reading of Markdown: headings, sections, links.

export type { CodeBlock } from './code-block.ts';
export type { Comment } from './comment.ts';
export { createMentionReader } from './file-mentions.ts';
export { createFileNames } from './file-names.ts';
export { collapseSpace, foldText } from './fold-text.ts';
export type { Heading } from './heading.ts';
export type { Link } from './link.ts';
export { type MarkdownDocument, readMarkdown } from './read-markdown.ts';
export { slugify } from './slugify.ts';
