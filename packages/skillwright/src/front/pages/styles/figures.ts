// Numbers, bars, heat, and the sign of a live page.

/** Totals, charts, live. */
export const figureStyles = `.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 1px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.totals > div { box-shadow: 0 0 0 1px var(--line); padding: 0.75rem 1rem; display: grid; gap: 0.0625rem; align-content: start; }
.totals dt { font-size: var(--tiny); color: var(--muted); }
.totals dd { margin: 0; font-size: 1.375rem; line-height: 1.3; font-weight: 620; font-variant-numeric: tabular-nums; letter-spacing: -0.02em; }
.totals dd.note { font-size: var(--tiny); font-weight: 450; letter-spacing: 0; color: var(--muted); }
.totals .bad-text, .bad-text { color: var(--bad); } .warn-text { color: var(--warn); }
.overview { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); gap: 0.875rem; align-items: stretch; }
.overview > .card { display: grid; align-content: start; gap: 0.75rem; }
.overview > .card > * { margin: 0; }
.overview > .card:has(> .chart) { grid-template-rows: auto auto 1fr; align-content: stretch; }
.overview .chart { grid-template-rows: auto 1fr auto auto; }
.overview .chart.wide svg { height: 100%; min-height: 7.5rem; }
.overview .totals { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.chart { display: grid; }
.chart svg { display: block; width: 100%; height: 3.75rem; overflow: visible; }
.chart.wide svg { height: 7.5rem; }
.chart .rule { stroke: var(--line); vector-effect: non-scaling-stroke; } .chart .rule.faint { stroke-dasharray: 2 3; }
.chart-most, .chart-ends { font-size: var(--tiny); line-height: 1.5; color: var(--muted); font-variant-numeric: tabular-nums; }
.chart-most { text-align: end; }
.chart-ends { display: flex; justify-content: space-between; gap: 1rem; margin-block-start: 0.125rem; }
.bar-1 { fill: var(--accent); } .bar-1:hover { fill: var(--accent-strong); }
.bar-2 { fill: var(--heat-1); stroke: var(--accent); stroke-width: 1; vector-effect: non-scaling-stroke; } .bar-2:hover { fill: var(--heat-2); }
.chart-legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-block-start: 0.5rem; font-size: var(--small); color: var(--muted); }
.chart-legend li { display: inline-flex; align-items: center; gap: 0.375rem; }
.chart-legend strong { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.chart .chart-legend svg, .chart-legend svg { width: 0.625rem; height: 0.625rem; flex: none; }
.chart-table summary { font-size: var(--tiny); color: var(--muted); margin-block-start: 0.375rem; width: fit-content; }
.share-bar { display: block; width: 100%; height: 6px; border-radius: 3px; background: var(--sunken); box-shadow: inset 0 0 0 1px var(--line); } .share-bar rect { fill: var(--accent); } .share-bar.bad rect { fill: var(--bad); }
.split { display: grid; gap: 0.5rem; }
.split svg[role="img"] { display: block; width: 100%; height: 0.5rem; border-radius: 4px; background: var(--sunken); }
.split ul { display: flex; flex-wrap: wrap; gap: 0.25rem 0.625rem; font-size: var(--small); }
.split a { text-decoration: none; } .split a:hover .badge { text-decoration: underline; }
.tone-good { fill: var(--good); } .tone-warn { fill: var(--warn); } .tone-bad { fill: var(--bad); } .tone-neutral { fill: var(--edge); }
.live { display: inline-flex; align-items: center; gap: 0.4375rem; font-size: var(--small); color: var(--muted); white-space: nowrap; }
.live[hidden] { display: none; }
.live-dot { width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--edge); flex: none; }
.live[data-state="live"] .live-dot { background: var(--good); box-shadow: 0 0 0 3px var(--good-soft); }
.live[data-state="live"] { color: var(--text); }
.live[data-state="reconnecting"] .live-dot { background: var(--warn); }
.live .link-button { font-size: var(--tiny); text-decoration: underline; text-underline-offset: 0.18em; min-height: 1.5rem; }
.fresh { animation: fresh 2.5s ease-out; }
@keyframes fresh { from { background: var(--accent-soft); } to { background: transparent; } }
`;
