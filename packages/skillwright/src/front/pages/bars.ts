// Horizontal bars: one share, or several parts of a limit.

import { type Html, html } from './html.ts';
import { formatCount } from './numbers.ts';

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

/** Parts side by side, and a line where the limit is. `id` is unique on the page. */
export function budgetBar(
  parts: readonly { readonly label: string; readonly value: number }[],
  options: {
    readonly id: string;
    readonly title: string;
    readonly limit: { readonly label: string; readonly value: number };
    readonly unit: string;
  },
): Html {
  const { id, title, limit, unit } = options;
  const used = parts.reduce((sum, { value }) => sum + value, 0);
  const whole = Math.max(1, used, limit.value);
  const scale = (value: number) => Math.round((value / whole) * 10_000) / 100;
  let from = 0;
  const drawn = parts.map(({ label, value }, at) => {
    const x = from;
    from += value;
    if (value === 0) return '';
    return html`<rect class="part part-${at + 1}" x="${scale(x)}" width="${Math.max(0.4, scale(value))}" height="10"><title>${label}: ${formatCount(value)} ${unit}</title></rect>`;
  });
  const over = used > limit.value;
  const free = over
    ? `${formatCount(used - limit.value)} over the limit`
    : `${formatCount(limit.value - used)} free`;
  const said = parts.map(({ label, value }) => `${label} ${formatCount(value)}`).join(', ');
  return html`<figure class="budget${over ? ' over' : ''}"><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${formatCount(used)} of ${formatCount(limit.value)} ${unit}: ${said}; ${free}.</desc><rect class="room" width="${scale(limit.value)}" height="10"/>${drawn}<line class="limit" x1="${scale(limit.value)}" x2="${scale(limit.value)}" y1="0" y2="10"/></svg>
<ul class="chart-legend">${parts.map(
    ({ label, value }, at) =>
      html`<li><svg viewBox="0 0 10 10" aria-hidden="true" focusable="false"><rect class="part part-${at + 1}" x="0.5" y="0.5" width="9" height="9"/></svg>${label} <strong>${formatCount(value)}</strong></li>`,
  )}<li class="budget-limit">${limit.label} <strong>${formatCount(limit.value)}</strong><span class="${over ? 'bad-text' : 'muted'}">${free}</span></li></ul></figure>`;
}
