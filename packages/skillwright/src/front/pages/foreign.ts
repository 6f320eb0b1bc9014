// Text that strangers wrote, inside a line of ours.

import { type Html, html } from './html.ts';

/** A stranger's words in their own direction; marks that turn text around end with them. */
export function foreign(text: string): Html {
  return html`<bdi dir="auto">${text}</bdi>`;
}

/** A link out of the site. */
export function outsideLink(address: string, text: string = address.replace(/^https?:\/\//, '')): Html {
  return html`<a href="${address}" rel="nofollow ugc noopener noreferrer"><bdi dir="auto">${text}</bdi></a>`;
}
