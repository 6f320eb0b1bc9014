// The sign that a page follows what happens, and the switch that stops it. Without script neither is shown.

import { type Html, html } from './html.ts';

/**
 * For the header of a page with `assets.live`. `events` is the address of the server-sent events; `subjects` starts the
 * addresses of what they are about. The script puts rows into `[data-happenings]`, numbers and days into `[data-reads-of]` and `[data-used-of]`, and
 * replaces every element with an id and `data-refresh`: `event` after each event, `return` after a pause. If the page has one with
 * `settled`, the event `settled` replaces all, and removes that one when its reason is gone.
 */
export function liveState(options: { readonly events: string; readonly subjects: string }): Html {
  const { events, subjects } = options;
  return html`<div class="live" data-events="${events}" data-subjects="${subjects}" hidden><span class="live-dot" aria-hidden="true"></span><span data-live-word>Live</span><button type="button" class="link-button" data-live-pause>Pause</button></div><p class="unseen" role="status" data-live-news></p>`;
}
