// How many skills have which verdict, as one bar with a legend.

import { formatCount, type Html, html } from '../../pages/index.ts';
import type { ShownVerdict } from '../views/skills-view.ts';
import type { StudioFrame } from '../views/studio-frame.ts';
import { scanBadge } from './skill-pieces.ts';
import { isExport } from './studio-shell.ts';

const order: readonly { readonly verdict: ShownVerdict; readonly tone: string }[] = [
  { verdict: 'danger', tone: 'bad' },
  { verdict: 'caution', tone: 'warn' },
  { verdict: 'unknown', tone: 'neutral' },
  { verdict: 'clean', tone: 'good' },
];

export function verdictSplit(
  counts: Readonly<Record<ShownVerdict, number>>,
  { total, frame }: { total: number; frame: StudioFrame },
): Html {
  const whole = Math.max(1, total);
  let from = 0;
  const parts = order.map(({ verdict, tone }) => {
    const width = (counts[verdict] / whole) * 100;
    const x = from;
    from += width;
    return width === 0
      ? ''
      : html`<rect class="tone-${tone}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`;
  });
  const said = order.map(({ verdict }) => `${verdict} ${formatCount(counts[verdict])}`).join(', ');
  const entry = (verdict: ShownVerdict) => {
    const content = html`${scanBadge(verdict)} <span class="count">${formatCount(counts[verdict])}</span>`;
    return html`<li>${isExport(frame) ? content : html`<a href="${frame.href(`/?verdict=${verdict}`)}">${content}</a>`}</li>`;
  };
  return html`<div class="split"><svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="Verdicts of ${formatCount(total)} skills: ${said}">${parts}</svg><ul aria-label="Skills by verdict">${order
    .filter(({ verdict }) => counts[verdict] > 0)
    .map(({ verdict }) => entry(verdict))}</ul></div>`;
}
