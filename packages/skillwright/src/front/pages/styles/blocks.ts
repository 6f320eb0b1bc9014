// Badges, cards, notices, tables, tabs, lists.

/** Components. */
export const blockStyles = `.badge { display: inline-flex; align-items: center; gap: 0.3em; padding: 0.05rem 0.5rem; border-radius: 999px; background: var(--sunken); color: var(--muted); font: 550 var(--tiny)/1.5 var(--sans); white-space: nowrap; vertical-align: 0.08em; max-width: 100%; min-width: 0; overflow: hidden; letter-spacing: 0; }
.lock { width: 0.75em; height: 0.75em; fill: none; stroke: currentColor; stroke-width: 1.5; display: block; }
.badge bdi { overflow: hidden; text-overflow: ellipsis; }
.badge.accent { background: var(--accent-soft); color: var(--accent-strong); }
.badge.good { background: var(--good-soft); color: var(--good); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
.tags { display: flex; flex-wrap: wrap; gap: 0.375rem; }
.tag { display: inline-block; padding: 0.05rem 0.5rem; border: 1px solid var(--line); border-radius: 999px; font-size: var(--tiny); color: var(--muted); text-decoration: none; max-width: 100%; }
.tag:hover { border-color: var(--edge); color: var(--text); }
.card { border: 1px solid var(--line); border-radius: 8px; background: var(--surface); padding: 1rem 1.125rem; min-width: 0; }
.card > * + * { margin-block-start: 0.75rem; }
.card-title { font-size: var(--small); font-weight: 600; color: var(--muted); letter-spacing: 0; }
.notice { border: 1px solid var(--line); border-inline-start: 3px solid var(--edge); border-radius: var(--radius); padding: 0.75rem 1rem; background: var(--surface); }
.notice + .notice { margin-block-start: 0.75rem; }
.notice-title { font-weight: 600; }
.notice-body { margin-block-start: 0.25rem; font-size: 0.875rem; }
.notice-body ul { list-style: disc; padding-inline-start: 1.25rem; }
.notice-body > * + * { margin-block-start: 0.5rem; }
.notice.good { border-inline-start-color: var(--good); background: var(--good-soft); border-color: transparent; border-inline-start-color: var(--good); }
.notice.accent { background: var(--accent-soft); border-color: transparent; border-inline-start-color: var(--accent); }
.notice.warn { background: var(--warn-soft); border-color: transparent; border-inline-start-color: var(--warn); }
.notice.bad { background: var(--bad-soft); border-color: transparent; border-inline-start-color: var(--bad); }
.notice:is(.good, .accent, .warn, .bad) .badge { background: var(--surface); }
.empty { border: 1px dashed var(--line); border-radius: 8px; padding: 2rem 1.25rem; text-align: center; }
.empty-title { font-weight: 600; }
.empty > * + * { margin-block-start: 0.375rem; }
.empty .code { max-width: 36rem; margin: 0.75rem auto; text-align: start; }
.definitions { display: grid; gap: 0.375rem; }
.definitions > div { display: grid; grid-template-columns: minmax(5.25rem, 8rem) minmax(0, 1fr); gap: 0 0.75rem; align-items: baseline; }
.definitions dt { font-size: var(--small); color: var(--muted); }
@media (max-width: 30rem) { .definitions > div { grid-template-columns: 5.25rem minmax(0, 1fr); } }
.card .definitions { font-size: 0.875rem; }
.card .definitions > div { grid-template-columns: 5.25rem minmax(0, 1fr); }
.definitions dd { margin: 0; }
.definitions .mono { overflow-wrap: anywhere; }
.tabs { border-bottom: 1px solid var(--line); margin-block: 1.25rem 1.5rem; }
.tabs ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-block-end: -1px; }
.tabs a { display: inline-block; padding: 0.5rem 0; color: var(--muted); text-decoration: none; border-bottom: 2px solid transparent; }
.tabs a:hover { color: var(--text); border-bottom-color: var(--line); }
.tabs a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.count { font-size: var(--tiny); color: var(--muted); font-weight: 500; font-variant-numeric: tabular-nums; }
.trail ol { display: flex; flex-wrap: wrap; font-size: var(--small); }
.trail li + li::before { content: "/"; padding-inline: 0.4rem; color: var(--edge); }
.pager { display: flex; gap: 0.5rem; margin-block-start: 1.25rem; }
.table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
.table caption { text-align: start; font-weight: 600; padding-block-end: 0.5rem; }
.table th, .table td { text-align: start; vertical-align: top; padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); font-weight: 400; min-width: 0; }
.table thead th { font-size: var(--tiny); color: var(--muted); font-weight: 550; white-space: nowrap; padding-block: 0.25rem; }
.table .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.table .action { text-align: end; padding-inline-end: 0; }
.table .action .button { white-space: nowrap; }
.table .action details { text-align: start; margin-block-start: 0.5rem; }
.table .action > details:first-child { margin-block-start: 0; }
.table tr:has(> .action) > * { vertical-align: baseline; }
@media (min-width: 44.01rem) { .table .number + :is(th, td):not(.number) { padding-inline-start: 0.75rem; } .table .action > details:not([open]) { text-align: end; } }
.table tbody tr:hover { background: color-mix(in srgb, var(--sunken) 55%, transparent); }
@media (max-width: 44rem) {
  .table, .table tbody, .table tr, .table th, .table td { display: block; width: 100%; }
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tbody tr { border-bottom: 1px solid var(--line); padding-block: 0.625rem; }
  .table tbody th, .table tbody td, .table .number, .table .action { border: 0; padding: 0.125rem 0; text-align: start; white-space: normal; }
  .table tbody th { font-weight: 600; } .table tbody th :is(.muted, .scope, .skill-about, .under) { font-weight: 400; }
  .table tbody .action { padding-block-start: 0.5rem; }
  .table td[data-label] > div:not([class]):first-child { display: inline; }
  .table td:empty { display: none; }
  .table td[data-label]:not([data-label=""])::before { content: attr(data-label) ": "; color: var(--muted); font-size: var(--tiny); }
  .chart-table .table tr { display: flex; justify-content: space-between; padding-block: 0.125rem; }
  .chart-table .table th, .chart-table .table td { width: auto; }
}
.results { display: grid; }
.result { display: grid; gap: 0.25rem; padding: 0.875rem 0; border-bottom: 1px solid var(--line); min-width: 0; }
.result:first-child { border-top: 1px solid var(--line); }
.result h2, .result h3 { font-size: 1rem; font-weight: 600; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; }
.result h2 a, .result h3 a { text-decoration: none; }
.result h2 a:hover, .result h3 a:hover { text-decoration: underline; }
.result .excerpt { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; max-width: 52rem; }
.found { max-width: 52rem; overflow-wrap: anywhere; } .found mark { background: var(--accent-soft, var(--warn-soft)); color: inherit; border-radius: 2px; padding-inline: 1px; }
.facts { display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; color: var(--muted); font-size: var(--small); }
.address-owner { color: var(--muted); font-weight: 450; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); gap: 0.875rem; }
.grid .card { display: grid; gap: 0.375rem; align-content: start; }
.grid .card > * + * { margin: 0; }
.grid .excerpt { color: var(--muted); font-size: 0.875rem; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; }
.stats { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; }
.stats dt { font-size: var(--tiny); color: var(--muted); }
.stats dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.hero { padding-block: 2.5rem 2rem; display: grid; gap: 0.875rem; max-width: 44rem; }
.hero h1 { font-size: clamp(1.625rem, 5vw, 2.25rem); letter-spacing: -0.025em; }
.hero p { color: var(--muted); font-size: 1.0625rem; text-wrap: balance; }
.big-search { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.big-search input { flex: 1 1 12rem; font-size: 1.0625rem; padding: 0.625rem 0.875rem; }
.stars { color: var(--warn); letter-spacing: 0.05em; }
.skill-head { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.625rem; }
.skill-head h1 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 0.5rem; }
.skill-head h1 .version { font: 500 1rem var(--mono); color: var(--muted); letter-spacing: 0; }
.skill-head .lead { max-width: 52rem; font-size: 1rem; text-wrap: pretty; }
.install { max-width: 46rem; display: grid; gap: 0.5rem; }
.install summary { font-size: var(--small); color: var(--muted); width: fit-content; }
.install details[open] summary { margin-block-end: 0.5rem; }
.install dl { display: grid; gap: 0.75rem; }
.install dt { font-size: var(--small); margin-block-end: 0.25rem; }
.install dd { margin: 0; }
.outline { font-size: var(--small); }
.outline-box > summary { font-weight: 600; font-size: var(--small); padding-block: 0.125rem; color: var(--muted); }
@supports selector(::details-content) { @media (min-width: 56.01rem) { :is(.outline-box, .filters-box)::details-content { content-visibility: visible; display: block; } .filters-box > summary { display: none; } .outline-box > summary { pointer-events: none; list-style: none; } } }
.outline-box { border-inline-start: 1px solid var(--line); padding-inline-start: 1rem; }
.outline-scroll { max-height: 60vh; overflow-y: auto; margin-block-start: 0.375rem; padding-inline: 3px; }
.outline li > i { font-style: normal; color: var(--muted); font-size: var(--tiny); } .outline li > b { color: var(--accent); font-size: var(--tiny); }
.outline ol ol { padding-inline-start: 0.75rem; }
.outline-entry { display: flex; align-items: baseline; gap: 0.5rem; padding: 0.1875rem 0.375rem; border-radius: 4px; color: var(--text); text-decoration: none; }
.outline-entry:hover { background: var(--sunken); color: var(--text); }
.outline-text { flex: 1; min-width: 0; }
.tokens, .outline-reads { color: var(--muted); font-size: var(--tiny); font-variant-numeric: tabular-nums; white-space: nowrap; }
.heat-1 { background: var(--heat-1); } .heat-2 { background: var(--heat-2); } .heat-3 { background: var(--heat-3); } .heat-4 { background: var(--heat-4); } .heat-5 { background: var(--heat-5); }
.outline-entry[class*="heat-"] { margin-block: 1px; }
.outline-entry[class*="heat-"] :is(.tokens, .outline-reads) { color: var(--text); }
.heat-legend { display: flex; align-items: center; gap: 0.5rem; font-size: var(--tiny); color: var(--muted); }
.heat-scale { display: inline-flex; border: 1px solid var(--line); border-radius: 3px; overflow: hidden; }
.heat-scale span { width: 1.25rem; height: 0.75rem; }
.trust { display: grid; gap: 0.25rem; font-size: var(--small); }
.trust li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; min-width: 0; }
.trust .share-bar { flex: none; width: 5rem; } .trust-factor { flex: none; width: 5rem; overflow-wrap: anywhere; } .trust-points { flex: none; min-width: 3.75rem; font-variant-numeric: tabular-nums; }
.trust-reason { flex: 1 1 13rem; min-width: 0; color: var(--muted); overflow-wrap: anywhere; }
p > .tags { display: inline-flex; vertical-align: middle; }
.answer { border: 1px solid var(--line); border-radius: 8px; background: var(--surface); min-width: 0; }
.answer > header { padding: 0.75rem 1.125rem; border-bottom: 1px solid var(--line); display: grid; gap: 0.125rem; }
.answer > .answer-body { padding: 1rem 1.125rem; }
.code-word { font: 650 clamp(1.5rem, 8vw, 2.25rem)/1.2 var(--mono); letter-spacing: 0.12em; }
.secret { font-size: 0.875rem; }
`;
