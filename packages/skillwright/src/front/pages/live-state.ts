// The sign that a page follows what happens, and the switch that stops it. Without script neither is shown.

import { type Html, html } from './html.ts';

/**
 * For the header of a page with `assets.live`. `events` is the address of the server-sent events, each with the addresses of
 * the skills it is about, and the number of accesses. The script loads the page again and replaces every element
 * with an id and `data-refresh`: `event` after an event, about one skill only with `data-about`; `return` after a pause. If
 * the page has one with `settled`, the event `settled` replaces all, and removes that one when its reason is gone.
 */
export function liveState({ events }: { readonly events: string }): Html {
  return html`<div class="live" data-events="${events}" hidden><span class="live-dot" aria-hidden="true"></span><span data-live-word>Live</span><button type="button" class="link-button" data-live-pause>Pause</button></div><p class="unseen" role="status" data-live-news></p>`;
}
