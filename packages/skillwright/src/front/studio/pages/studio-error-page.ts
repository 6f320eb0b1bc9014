// The page of a failure.

import { type Html, html } from '../../pages/index.ts';
import type { StudioFrame } from '../views/studio-frame.ts';

/** The page. */
export function studioErrorPage(
  { title, text }: { readonly title: string; readonly text: string },
  _frame: StudioFrame,
): Html {
  return html`<!doctype html><title>${title}</title><h1>${title}</h1><p>${text}</p>`;
}
