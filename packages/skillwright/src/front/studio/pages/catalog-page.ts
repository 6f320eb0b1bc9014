// The page of the catalog view.

import { type Html, html } from '../../pages/index.ts';
import type { CatalogPageView } from '../views/catalog-view.ts';
import type { StudioFrame } from '../views/studio-frame.ts';

/** The page. */
export function catalogPage(view: CatalogPageView, frame: StudioFrame): Html {
  return html`<!doctype html><title>catalog</title><pre>${JSON.stringify(view)}</pre><pre>${JSON.stringify(frame)}</pre>`;
}
