/** The links of a document, found together with its comments, for both need the inline content parsed. */

import type { Env, Token } from 'markdown-it';
import { type Comment, countLineBreaks, findComments } from './comment.ts';
import { collapseSpace } from './fold-text.ts';
import type { Blocks } from './parse-blocks.ts';
import { maxInlineLength, parseInline, readPlainText } from './parse-inline.ts';

/**
 * A Markdown link, autolink, image, or link reference definition. A link through a reference is reported where
 * it is used, with the target of its definition, and the definition once more; a second definition of the same
 * label has no effect in Markdown and is left out. Raw HTML elements are not read for links.
 */
export interface Link {
  kind: 'link' | 'image' | 'definition';
  /** The destination as written, backslash escapes and entities resolved, percent-encoding untouched. */
  target: string;
  /** The link text, an image's alternative text, or a definition's label. */
  text: string;
  line: number;
}

/** Finds links and comments in document order. */
export function findLinksAndComments(
  blocks: Blocks,
  firstLine: number,
): { links: Link[]; comments: Comment[] } {
  const links: Link[] = [];
  const comments: Comment[] = [];
  const defined = new Set<string>();
  for (const { kind, content, line: at, label = '' } of blocks.findings) {
    const line = firstLine + at;
    if (kind === 'inline') {
      for (const piece of splitContent(content, line)) {
        if (mayHoldFindings(piece.content, blocks.env)) readContent(piece, blocks.env, { links, comments });
      }
    } else if (kind === 'html') {
      for (const comment of findComments(content, line)) comments.push(comment);
    } else if (!defined.has(label)) {
      defined.add(label);
      const target = blocks.env.references?.[label]?.href ?? '';
      links.push({ kind: 'definition', target, text: collapseSpace(content), line });
    }
  }
  return { links, comments };
}

interface Piece {
  content: string;
  line: number;
}

const delimiterRow = /\n[ \t|:-]+(?:\n|$)/;

/**
 * A table is read row by row, so that an odd backtick in one cell does not swallow the rows after it. So is
 * content too long to be parsed in one go; a single line that is too long is not read at all.
 */
function splitContent(content: string, line: number): Piece[] {
  const isTable = content.includes('|') && delimiterRow.test(content);
  if (!isTable && content.length <= maxInlineLength) return [{ content, line }];
  return content
    .split('\n')
    .map((row, index) => ({ content: row, line: line + index }))
    .filter((piece) => piece.content.length <= maxInlineLength);
}

/** Whether it is worth parsing: most paragraphs have neither links nor raw HTML. */
function mayHoldFindings(content: string, env: Env): boolean {
  return (
    content.includes('](') || content.includes('<') || (env.references !== undefined && content.includes('['))
  );
}

/** One line with inline links only, whose text and destination are as written. */
const PLAIN_LINKS = /^(?:[^`\\<![\]\n]|\[[^`\\<!&*_[\]\n]+\]\([^\s`\\<!&()[\]]+\))*$/;
const PLAIN_LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

function readContent(piece: Piece, env: Env, found: { links: Link[]; comments: Comment[] }): void {
  // Most content with links is this simple, and the parser takes ten times as long.
  if (PLAIN_LINKS.test(piece.content)) {
    for (const [, text, target] of piece.content.matchAll(PLAIN_LINK))
      found.links.push({ kind: 'link', target: target!, text: collapseSpace(text!), line: piece.line });
    return;
  }
  const tokens = parseInline(piece.content, env);
  let line = piece.line;
  let counted = 0;
  tokens.forEach((token, index) => {
    if (token.map === null) return;
    line += countLineBreaks(piece.content, counted, token.map[0]);
    counted = token.map[0];
    if (token.type === 'html_inline') {
      for (const comment of findComments(token.content, line)) found.comments.push(comment);
    } else if (token.type === 'image') {
      const text = collapseSpace(readPlainText(token.children ?? []));
      found.links.push({ kind: 'image', target: attributeOf(token, 'src'), text, line });
    } else {
      let end = index + 1;
      while (end < tokens.length && tokens[end]?.level !== token.level) end++;
      const text = collapseSpace(readPlainText(tokens.slice(index, end)));
      found.links.push({ kind: 'link', target: attributeOf(token, 'href'), text, line });
    }
  });
}

function attributeOf(token: Token, attribute: string): string {
  return String(token.attrGet(attribute) ?? '');
}
