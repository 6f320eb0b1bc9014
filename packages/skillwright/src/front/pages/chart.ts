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
interface ChartOptions {
  readonly id: string;
  readonly title: string;
  /** Of one value: `downloads`. */
  readonly unit: string;
  readonly labelTitle?: string;
  /** `wide` is as high as half a card; for charts over the whole page. */
  readonly size?: 'small' | 'wide';
}

/** Several series of one chart, each with its name. All have the same labels. */
interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

const WIDTH = 300;
const HEIGHT = 60;

/** Bars over time, with the numbers in a table below. */
export function barChart(points: readonly Point[], options: ChartOptions): Html {
  return stackedChart([{ name: options.unit, points }], options);
}

/**
 * Bars over time with the series on top of one another, first at the bottom. The legend has their sums. The bars stretch
 * with the figure; words are next to the drawing, so they keep their size.
 */
export function stackedChart(series: readonly Series[], options: ChartOptions): Html {
  const { id, title, unit, labelTitle = 'Day', size = 'small' } = options;
  const points = series[0]?.points ?? [];
  const heights = points.map((_, at) => sumOf(series.map((one) => Math.max(0, one.points[at]?.value ?? 0))));
  const most = Math.max(1, ...heights);
  const described = series.map(({ name, points: own }) => seriesInWords(own, unitOf(series, { unit, name })));
  const ends =
    points.length === 0
      ? ''
      : html`<p class="chart-ends" aria-hidden="true"><span>${points[0]!.label}</span><span>${points.at(-1)!.label}</span></p>`;
  return html`<figure class="chart ${size}"><p class="chart-most" aria-hidden="true">${formatShort(Math.max(0, ...heights))}</p><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${described.join(' ')}</desc><line class="rule" x1="0" x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}"/><line class="rule faint" x1="0" x2="${WIDTH}" y1="0" y2="0"/>${bars(series, { most, unit })}</svg>${ends}${legend(series)}
<details class="chart-table"><summary>${title} as a table</summary>${table({
    caption: title,
    columns: [
      { title: labelTitle },
      ...series.map(({ name }) => ({ title: series.length === 1 ? unit : name, kind: 'number' as const })),
    ],
    rows: tableRows(series),
  })}</details></figure>`;
}

function tableRows(series: readonly Series[]): string[][] {
  const rows: string[][] = [];
  for (const [at, { label }] of (series[0]?.points ?? []).entries()) {
    const row = [label];
    for (const { points } of series) row.push(formatCount(points[at]?.value ?? 0));
    rows.push(row);
  }
  return rows;
}

function bars(series: readonly Series[], { most, unit }: { most: number; unit: string }): Html[] {
  const step = WIDTH / Math.max(1, series[0]?.points.length ?? 0);
  const gap = step > 4 ? step * 0.2 : 0.5;
  const drawn: Html[] = [];
  for (const [at, { label }] of (series[0]?.points ?? []).entries()) {
    let below = 0;
    for (const [which, { name, points }] of series.entries()) {
      const value = points[at]?.value ?? 0;
      if (value <= 0) continue;
      const height = Math.max(1.5, (value / most) * HEIGHT);
      below += height;
      drawn.push(
        html`<rect class="bar bar-${which + 1}" x="${round(at * step + gap / 2)}" y="${round(HEIGHT - below)}" width="${round(Math.max(0.5, step - gap))}" height="${round(height)}"><title>${label}: ${formatCount(value)} ${unitOf(series, { unit, name })}</title></rect>`,
      );
    }
  }
  return drawn;
}

function legend(series: readonly Series[]): Html {
  if (series.length < 2) return html``;
  return html`<ul class="chart-legend">${series.map(
    ({ name, points }, which) =>
      html`<li><svg viewBox="0 0 10 10" aria-hidden="true" focusable="false"><rect class="bar bar-${which + 1}" x="0.5" y="0.5" width="9" height="9"/></svg>${name} <strong>${formatCount(sumOf(points.map(({ value }) => value)))}</strong></li>`,
  )}</ul>`;
}

function seriesInWords(points: readonly Point[], unit: string): string {
  if (points.length === 0) return `No ${unit}.`;
  const total = sumOf(points.map(({ value }) => value));
  const best = points.reduce((first, point) => (point.value > first.value ? point : first));
  return `${formatCount(total)} ${unit} from ${points[0]!.label} to ${points.at(-1)!.label}, most on ${best.label}: ${formatCount(best.value)}.`;
}

const unitOf = (series: readonly Series[], { unit, name }: { unit: string; name: string }) =>
  series.length === 1 ? unit : `${unit} ${name.toLowerCase()}`;

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

const round = (value: number) => String(Math.round(value * 100) / 100);
