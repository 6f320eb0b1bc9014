// The page of the search view.

import { type Html, html } from '../../pages/index.ts';
import type { SearchView } from '../views/search-view.ts';
import type { StudioFrame } from '../views/studio-frame.ts';

/** The page. */
export function searchPage(view: SearchView, frame: StudioFrame): Html {
  return html`<!doctype html><title>search</title><pre>${JSON.stringify(view)}</pre><pre>${JSON.stringify(frame)}</pre>`;
}
