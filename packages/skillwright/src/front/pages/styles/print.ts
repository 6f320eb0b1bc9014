// Paper.

/** Black on white, without what only a screen needs, and with the addresses of links. */
export const printStyles = `@page { margin: 14mm 12mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; color: #666; } }
@media print {
  :root, :root[data-theme] { color-scheme: light; --bg: #fff; }
  body { font-size: 10pt; }
  .site-header nav, .site-header form, .site-account, .site-footer, .skip, .tabs, .pager, .copy, form, .button { display: none !important; }
  main { max-width: none; padding: 0; }
  .card, .notice, .code, tr, .result { break-inside: avoid; }
  h1, h2, h3, h4, summary { break-after: avoid; } p, li { orphans: 3; widows: 3; }
  .columns, .columns-read, .columns-search, .columns-heat, .columns-find, .overview, .pairs { display: block; }
  .install, :is(.columns, .columns-read) > :not(:last-child) { margin-block-end: 1.25rem; }
  .live, .jumps, .filter-row, .chart-table, .install details, details:has(> form) { display: none !important; }
  .heat-box, .columns-find > .beside { position: static; } :is(.outline-scroll, .columns-heat .outline-scroll), .catalog-text .code pre, .beside .code pre { max-height: none; }
  .bar, .part, [class*="heat-"] { print-color-adjust: exact; }
  .code pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .prose a[href^="http"]::after { content: " (" attr(href) ")"; font-size: 0.85em; overflow-wrap: anywhere; }
  details::details-content { content-visibility: visible; height: auto; }
}
`;
