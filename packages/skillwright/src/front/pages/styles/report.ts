// Entries that fold: a line about something, and everything about it below.

/** Folded entries, lists of places, and how they are printed. */
export const reportStyles = `.entry { border: 1px solid var(--line); border-radius: 8px; background: var(--surface); min-width: 0; }
.entry + .entry { margin-block-start: 0.625rem; }
.entry > summary { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.625rem; padding: 0.625rem 1rem; }
.entry > summary::before { content: "▸"; color: var(--muted); font-size: var(--tiny); width: 0.75rem; }
.entry[open] > summary::before { content: "▾"; }
.entry > summary h3 { font-size: 1rem; margin-inline-end: auto; }
.entry-body { padding: 0.25rem 1rem 1rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; scroll-margin-top: 4rem; }
.entry-body h4 { font-size: var(--small); color: var(--muted); }
.entry-body > section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.375rem; }
.entry:has(> :target) { outline: 2px solid var(--focus); outline-offset: 2px; }
.points { display: grid; gap: 0.25rem; font-size: 0.875rem; }
.points li { min-width: 0; }
.points code { background: var(--sunken); padding: 0.05em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
.shout { color: var(--bad); font-weight: 650; }
.verdict { font-size: clamp(1.5rem, 4vw, 2rem); letter-spacing: -0.02em; }
.report-filter { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; border: 0; padding: 0; margin-block-end: 0.75rem; font-size: var(--small); } .report-filter legend { float: left; padding-inline-end: 0.75rem; color: var(--muted); }
.report:has(input[value="danger"]:checked) .entry:not([data-is~="danger"]), .report:has(input[value="caution"]:checked) .entry:not([data-is~="caution"]), .report:has(input[value="needed"]:checked) .entry:not([data-is~="needed"]), .report:has(input[value="unlicensed"]:checked) .entry:not([data-is~="unlicensed"]) { display: none; }
.summary { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1.25rem; align-items: start; } .summary .definitions > div { grid-template-columns: minmax(0, 1fr) auto; } .summary h2 { font-size: 1rem; margin-block-end: 0.25rem; }
.contents ol { columns: 2; padding-inline-start: 1.25rem; font-size: var(--small); list-style: decimal; } .contents h2 { font-size: 1rem; }
@media (max-width: 30rem) { .entry > summary, .entry-body { padding-inline: 0.75rem; } }
@media print {
  .entry { break-inside: auto; border-width: 0 0 1px; border-radius: 0; }
  .entry > summary { break-after: avoid; padding-inline: 0; }
  .entry > summary::before { display: none; }
  .entry-body { padding-inline: 0; }
  /* Browsers paint parts of a grid over one another where a page ends. */
  .report, .entry-body, .entry-body > section, .points, .evidence { display: block; } .report > * + *, .entry-body > * + *, .evidence li + li { margin-block-start: 0.75rem; }
  .points li, .evidence li { break-inside: avoid; } .entry tr { break-inside: auto; }
  .page-break { break-before: page; } .report-filter { display: none; }
  .report .table { font-size: 8pt; } .report .table :is(td, th) { padding-block: 2pt; } .report td:is([data-label="Decision"], [data-label="Source"]) { min-width: 21mm; } .report td[data-label="Can do"] { min-width: 34mm; } .report td .tags { gap: 0 0.5rem; } .report .table td, .report .table th, .report .table code, .report .mono { overflow-wrap: break-word; word-break: normal; hyphens: none; }
  .section-head, .entry > summary, .entry-body h4 { break-after: avoid; } .entry-body > section > h4 + * { break-before: avoid; }
  .summary { grid-template-columns: repeat(3, 1fr); } .contents { break-inside: avoid; }
}
`;
