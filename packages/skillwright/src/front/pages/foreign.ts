// Text from outside, inside our own line.

import { type Html, html } from './html.ts';

/** Words of others in their own direction. Marks that turn or hide text are shown as their code points. */
export function foreign(text: string): Html {
  return html`<bdi dir="auto">${showControls(text)}</bdi>`;
}

/** A link out of the site. */
export function outsideLink(address: string, text: string = address.replace(/^https?:\/\//, '')): Html {
  return html`<a href="${address}" rel="nofollow ugc noopener noreferrer"><bdi dir="auto">${text}</bdi></a>`;
}

/** Controls except tab and line feed, marks that turn text around, and characters without a width. */
const hiddenCharacters: RegExp =
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
