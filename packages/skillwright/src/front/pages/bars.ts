// Horizontal bars.

import { type Html, html } from './html.ts';

/** A part of a whole from 0 to 1, as a bar. The words beside it say the number. */
export function shareBar(share: number, tone: 'accent' | 'bad' = 'accent'): Html {
  const width = Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10 : 0;
  return html`<svg class="share-bar ${tone}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect width="${width}" height="6"/></svg>`;
}

/** 0.257 as `26%`; small shares never become nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '<1%';
  return `${Math.round(share * 100)}%`;
}
