// The frame of a page and its columns.

/** Header, footer, main, columns. */
export const layoutStyles = `.site-header { border-bottom: 1px solid var(--line); background: var(--surface); }
.site-header-inner, .site-footer-inner { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; display: flex; align-items: center; gap: 0.5rem 1.25rem; flex-wrap: wrap; }
.site-header-inner { min-height: 3.5rem; padding-block: 0.5rem; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; color: var(--text); font-weight: 650; letter-spacing: -0.015em; text-decoration: none; }
.brand:hover { color: var(--text); }
.brand-mark { width: 1.375rem; height: 1.375rem; fill: none; stroke: var(--accent); stroke-width: 2.25; stroke-linecap: round; }
.brand-mark circle { fill: var(--accent); stroke: none; }
.site-search { position: relative; flex: 1 1 14rem; max-width: 26rem; }
.site-search input { width: 100%; padding-inline-end: 2.25rem; }
.site-search kbd { position: absolute; inset-inline-end: 0.5rem; top: 50%; transform: translateY(-50%); }
.site-nav { margin-inline-start: auto; }
.site-nav ul, .site-footer ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.site-nav a, .site-footer a, .site-account a { color: var(--muted); text-decoration: none; font-size: 0.875rem; padding: 0.25rem 0; }
.site-nav a:hover, .site-footer a:hover, .site-account a:hover { color: var(--text); text-decoration: underline; }
.site-nav a[aria-current] { color: var(--text); font-weight: 600; }
.site-account { display: flex; align-items: center; gap: 0.75rem; font-size: 0.875rem; }
.site-account .form-inline { display: inline; }
main { width: 100%; max-width: 74rem; margin: 0 auto; padding: 1.75rem 1.25rem 4rem; flex: 1; }
main.narrow { max-width: 40rem; }
.site-footer { border-top: 1px solid var(--line); color: var(--muted); }
.site-footer-inner { min-height: 3.5rem; padding-block: 0.75rem; justify-content: space-between; }
.theme-switch { display: inline-flex; border: 1px solid var(--line); border-radius: 999px; padding: 2px; background: var(--surface); }
.theme-switch button { border: 0; background: none; color: var(--muted); font: inherit; font-size: var(--tiny); padding: 0.2rem 0.7rem; border-radius: 999px; cursor: pointer; min-height: 1.5rem; }
.theme-switch button:hover { color: var(--text); }
.theme-switch button[aria-pressed="true"] { background: var(--sunken); box-shadow: 0 0 0 1px var(--line); color: var(--text); font-weight: 600; }
.stack > * + * { margin-block-start: var(--gap); }
.stack-large > * + * { margin-block-start: 2rem; }
.row > * { min-width: 0; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 0.75rem; }
.row-between { justify-content: space-between; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: 1.75rem 2.5rem; align-items: start; }
.columns > .beside { display: grid; gap: 1.25rem; }
.columns-read { display: grid; grid-template: "text outline" auto "text facts" 1fr / minmax(0, 1fr) 19rem; gap: 1.25rem 2.5rem; align-items: start; }
.columns-read > .outline-box { grid-area: outline; }
.columns-read > .text { grid-area: text; }
.columns-read > .beside { grid-area: facts; display: grid; gap: 1.25rem; }
.columns-search { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 1.5rem 2.5rem; align-items: start; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1.25rem 2rem; align-items: start; }
.page-head { display: grid; gap: 0.5rem; margin-block-end: 1.5rem; }
.page-head p { max-width: 46rem; color: var(--muted); text-wrap: pretty; }
.section-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.25rem 1rem; margin-block-end: 0.75rem; }
@media (max-width: 56rem) {
  .columns, .columns-search { grid-template-columns: minmax(0, 1fr); }
  .columns-read { grid-template: "outline" auto "text" auto "facts" auto / minmax(0, 1fr); }
  .site-nav { margin-inline-start: 0; order: 2; flex-basis: 100%; }
  .site-search { order: 3; flex-basis: 100%; max-width: none; }
  .site-account { margin-inline-start: auto; order: 1; }
}
@media (max-width: 30rem) {
  main { padding: 1.25rem 1rem 3rem; }
  .site-header-inner, .site-footer-inner { padding-inline: 1rem; }
  .site-nav ul { column-gap: 0.625rem; } .site-nav a { font-size: var(--small); }
  h1 { font-size: 1.375rem; }
}
`;
