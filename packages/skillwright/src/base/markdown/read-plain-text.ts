/** The text of inline content, without its markup. */

import type { Token } from 'markdown-it';

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
