// The inline content of one paragraph or heading: text, code spans, links, images, raw HTML.

import MarkdownIt, { type Env, type Token } from 'markdown-it';

/**
 * Content longer than this is not parsed in one go. Hostile content costs up to a microsecond and half a
 * kilobyte of tokens per character, and nobody writes a paragraph this long.
 */
export const maxInlineLength = 65_536;

/** Notes in `map` where in the content a link, an image or a piece of raw HTML starts. */
class PositionedInlineState extends MarkdownIt.StateInline {
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token = super.push(type, tag, nesting);
    if (type === 'link_open' || type === 'image' || type === 'html_inline') token.map = [this.pos, this.pos];
    return token;
  }
}

const parser = new MarkdownIt('commonmark');
parser.normalizeLink = (target) => target;
parser.normalizeLinkText = (target) => target;
parser.validateLink = () => true;
parser.inline.State = PositionedInlineState;

/** Parses inline content. Link targets are as written, unescaped but neither encoded nor checked. */
export function parseInline(content: string, env: Env): Token[] {
  const tokens: Token[] = [];
  parser.inline.parse(content, parser, env, tokens);
  return tokens;
}

/** The rendered text of inline tokens. Line breaks stay; images become their alternative text, or nothing. */
export function readPlainText(
  tokens: readonly Token[],
  images: 'alternative' | 'nothing' = 'alternative',
): string {
  let text = '';
  for (const token of tokens) {
    if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n';
    else if (token.type === 'image') text += images === 'nothing' ? '' : readPlainText(token.children ?? []);
    else if (token.type !== 'html_inline') text += token.content;
  }
  return text;
}
