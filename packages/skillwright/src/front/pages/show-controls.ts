// Characters that hide or reorder text, made visible where people review it.

import { type Html, html } from './html.ts';

/** Controls except tab and line feed, marks that turn text around, and characters without a width. */
export const hiddenCharacters: RegExp =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Bidi_Control}\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text with each such character as its code point. */
export function showControls(text: string): Html {
  const parts: Html[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(hiddenCharacters)) {
    const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    parts.push(html`${text.slice(from, index)}<span class="hidden-character">${code}</span>`);
    from = index + character.length;
  }
  return html`${parts}${text.slice(from)}`;
}
