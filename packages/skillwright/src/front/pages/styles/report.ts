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
@media (max-width: 30rem) { .entry > summary, .entry-body { padding-inline: 0.75rem; } }
@media print {
  .entry { break-inside: auto; border-width: 0 0 1px; border-radius: 0; }
  .entry > summary { break-after: avoid; padding-inline: 0; }
  .entry > summary::before { display: none; }
  .entry-body { padding-inline: 0; }
  .entry-body > section, .points li, .evidence li { break-inside: avoid; }
  .page-break { break-before: page; }
}
`;
