// Charts as SVG, with words and a table for those who cannot see them.

import { type Html, html } from './html.ts';
import { formatCount, formatShort } from './numbers.ts';
import { table } from './table.ts';

/** One value of a series. */
export interface Point {
  readonly label: string;
  readonly value: number;
}

/** A series to draw. `id` is unique on the page. */
export interface ChartOptions {
  readonly id: string;
  readonly title: string;
  /** Of one value: `downloads`. */
  readonly unit: string;
  readonly labelTitle?: string;
}

const WIDTH = 300;
const HEIGHT = 90;
const TOP = 14;
const BASE = 74;

/** Bars over time, with the numbers in a table below. */
export function barChart(points: readonly Point[], options: ChartOptions): Html {
  const { id, title, unit, labelTitle = 'Day' } = options;
  const most = Math.max(1, ...points.map(({ value }) => value));
  const step = WIDTH / Math.max(1, points.length);
  const gap = step > 4 ? 1.5 : 0.5;
  const bars = points.map(({ label, value }, at) => {
    const height = value === 0 ? 0 : Math.max(1.5, (value / most) * (BASE - TOP));
    return html`<rect class="bar" x="${round(at * step)}" y="${round(BASE - height)}" width="${round(Math.max(0.5, step - gap))}" height="${round(height)}"><title>${label}: ${formatCount(value)} ${unit}</title></rect>`;
  });
  const ends =
    points.length === 0
      ? ''
      : html`<text class="axis" x="0" y="88">${points[0]!.label}</text><text class="axis" x="${WIDTH}" y="88" text-anchor="end">${points.at(-1)!.label}</text>`;
  return html`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${describe(points, unit)}</desc><line class="rule" x1="0" x2="${WIDTH}" y1="${BASE + 0.5}" y2="${BASE + 0.5}"/><line class="rule faint" x1="0" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/><text class="axis" x="${WIDTH}" y="10" text-anchor="end">${formatShort(most)}</text>${bars}${ends}</svg>
<details class="chart-table"><summary>${title} as a table</summary>${table({
    caption: title,
    columns: [{ title: labelTitle }, { title: unit, kind: 'number' }],
    rows: points.map(({ label, value }) => [label, formatCount(value)]),
  })}</details></figure>`;
}

/** A line as high as a word, inside a row of a table. */
export function sparkline(points: readonly Point[], options: ChartOptions): Html {
  const { id, title, unit } = options;
  const most = Math.max(1, ...points.map(({ value }) => value));
  const step = 96 / Math.max(1, points.length - 1);
  const path = points
    .map(
      ({ value }, at) => `${at === 0 ? 'M' : 'L'}${round(2 + at * step)} ${round(22 - (value / most) * 20)}`,
    )
    .join('');
  return html`<svg class="sparkline" viewBox="0 0 100 24" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${describe(points, unit)}</desc><path d="${path}"/></svg>`;
}

function describe(points: readonly Point[], unit: string): string {
  if (points.length === 0) return `No ${unit}.`;
  const total = points.reduce((sum, { value }) => sum + value, 0);
  const best = points.reduce((first, point) => (point.value > first.value ? point : first));
  return `${formatCount(total)} ${unit} from ${points[0]!.label} to ${points.at(-1)!.label}, most on ${best.label}: ${formatCount(best.value)}.`;
}

const round = (value: number) => String(Math.round(value * 100) / 100);
