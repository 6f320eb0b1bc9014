// Text that strangers wrote, inside a line of ours.

import { type Html, html } from './html.ts';
import { showControls } from './show-controls.ts';

/** A stranger's words in their own direction. Marks that turn or hide text are shown as their code points. */
export function foreign(text: string): Html {
  return html`<bdi dir="auto">${showControls(text)}</bdi>`;
}

/** A link out of the site. */
export function outsideLink(address: string, text: string = address.replace(/^https?:\/\//, '')): Html {
  return html`<a href="${address}" rel="nofollow ugc noopener noreferrer"><bdi dir="auto">${text}</bdi></a>`;
}
