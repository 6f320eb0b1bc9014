// Pages of the studio: lists of skills, the outline as a heat map, search with reasons.

/** Skill rows, heat, ranks, catalog, agents. */
export const studioStyles = `.as-of { margin-block-start: 2.5rem; font-size: var(--tiny); color: var(--muted); }
.as-of .mono { font-size: inherit; }
.notes { margin-block-end: 1.25rem; } .notes .notice-title { font-weight: 500; font-size: 0.875rem; white-space: pre-line; }
.page-head .mono { font-size: var(--small); }
.next-steps { display: grid; gap: 0.375rem; max-width: 34rem; margin: 0.75rem auto 0; text-align: start; }
section > .next-steps { margin-inline: 0; }
.next-steps .code { margin: 0; max-width: none; } .next-steps .code + p { margin-block-start: 0.5rem; }
.card.bare { border: 0; background: none; padding: 0; }
.filter-row { display: grid; grid-template-columns: minmax(10rem, 1fr); grid-auto-columns: minmax(7rem, 9.5rem); grid-auto-flow: column; gap: 0.75rem; align-items: end; }
.filter-row .field { align-content: end; }
[data-result-count] + .empty { margin-block-start: 0.625rem; }
.table-count { margin-block: 1rem 0.25rem; }
.columns-find .section-head { margin-block-end: 0; }
.columns-find .card-title + p { margin-block: 0.25rem 0.5rem; }
.table .under { display: block; font-size: var(--tiny); color: var(--muted); margin-block-start: 0.125rem; }
.table .number .share-bar { width: 4.5rem; margin-inline-start: auto; margin-block-start: 0.375rem; }
.skill-name { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 0.5rem; font-weight: 600; }
.skill-name a { text-decoration: none; } .skill-name a:hover { text-decoration: underline; }
.names { display: inline-block; max-width: 14rem; }
@media (min-width: 60rem) { .table .names { min-width: max-content; } }
.scope { font-size: var(--tiny); font-weight: 450; color: var(--muted); }
.skill-about { display: -webkit-box; -webkit-line-clamp: 1; -webkit-box-orient: vertical; overflow: hidden; color: var(--muted); font-size: var(--small); max-width: 34rem; }
.of { color: var(--muted); font-size: 0.875rem; font-weight: 450; letter-spacing: 0; }
.changes { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; }
.skill-head .facts { align-items: baseline; }
.trail + .stack { margin-block-start: 0.5rem; }
.jumps { position: sticky; top: 0; z-index: 2; background: var(--bg); border-bottom: 1px solid var(--line); padding-block: 0.5rem; }
.runs { margin-block-start: 2rem; }
.overview .totals > :last-child:nth-child(odd) { grid-column: 1 / -1; }
.attention { display: grid; gap: 0.5rem; margin-block-start: 0.5rem; }
.attention li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr) auto; gap: 0.125rem 0.75rem; align-items: baseline; }
.attention li > * { justify-self: start; } .attention-title { font-weight: 600; } .attention .small { grid-column: 2; grid-row: 2; } .attention code { grid-column: 3; grid-row: 1; }
.jumps ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: var(--small); }
.jumps a { color: var(--muted); text-decoration: none; display: inline-block; padding-block: 0.125rem; } .jumps a:hover { color: var(--text); text-decoration: underline; }
.parts { margin-block-start: 1.5rem; }
#findings h3 { margin-block: 1.25rem 0.5rem; } #findings .section-head + h3 { margin-block-start: 0; } #findings .evidence + p { margin-block-start: 0.5rem; }
.parts section { scroll-margin-top: 3.5rem; }
.part h2 { font-size: 1rem; } .part > * + * { margin-block-start: 0.375rem; } .part .table { margin-block-start: 0.5rem; }
.mono-title { font: 600 0.9375rem/1.4 var(--mono); letter-spacing: 0; }
.columns-heat { display: grid; grid-template-columns: minmax(0, 1fr) 23rem; gap: 1.25rem 2.5rem; align-items: start; }
.columns-heat > .heat-box { grid-column: 2; grid-row: 1; position: sticky; top: 3.5rem; }
.columns-heat > .text { grid-column: 1; grid-row: 1; min-width: 0; }
.columns-heat .outline-scroll { max-height: calc(100vh - 11rem); }
.heat-head { display: grid; gap: 0.5rem; margin-block: 0.375rem 0.625rem; }
.heat-summary { font-size: var(--small); }
.heat-summary .muted::before { content: "· "; }
.outline-file { font: 600 var(--tiny)/1.5 var(--mono); letter-spacing: 0; margin-block: 0.625rem 0.25rem; color: var(--muted); }
.outline-scroll > .outline-file:first-child { margin-block-start: 0; }
.heat-0 { background: repeating-linear-gradient(135deg, transparent 0 4px, var(--sunken) 4px 8px); box-shadow: inset 0 0 0 1px var(--line); }
.outline-entry.heat-0 .outline-reads, .read-mark.heat-0 { color: var(--warn); }
.heat-4 :is(.tokens, .outline-reads), .heat-5 :is(.tokens, .outline-reads) { color: var(--text); }
.read-mark { display: inline-block; margin-inline-start: 0.625rem; padding: 0 0.4375rem; border-radius: 4px; font: 500 var(--tiny)/1.6 var(--sans); letter-spacing: 0; color: var(--text); vertical-align: 0.12em; white-space: nowrap; }
.frontmatter { margin-block-end: 1rem; border: 1px solid var(--line); border-radius: var(--radius); padding: 0.375rem 0.75rem; background: var(--surface); font-size: var(--small); }
.frontmatter summary { color: var(--muted); } .frontmatter th { min-width: 7rem; } .frontmatter .table { margin-block-start: 0.5rem; } .frontmatter tr:last-child > * { border: 0; }
.nothing { color: var(--muted); font-size: 0.875rem; }
.nothing + .code { margin-block-start: 0.5rem; }
.rest { display: grid; gap: 0.375rem; margin-block-start: 0.75rem; }
.pairs { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.875rem; align-items: stretch; } .pairs > :last-child:nth-child(odd) { grid-column: 1 / -1; }
.why summary { list-style-position: inside; } .why[open] { display: grid; gap: 0.5rem; padding-block-end: 0.375rem; }
.why summary code { font-weight: 600; } .why q { quotes: "“" "”"; }
.score strong { font-size: 1.375rem; font-weight: 620; letter-spacing: -0.02em; }
.places { display: grid; gap: 0.25rem; font-size: var(--small); }
.columns-find { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 1.5rem 2rem; align-items: start; }
.columns-find > .beside { display: grid; gap: 1rem; position: sticky; top: 1rem; }
.columns-find > * { min-width: 0; }
.ranks { display: grid; margin-block-start: 0.75rem; }
#results > .columns-find > .beside { margin-block-start: 0.75rem; }
.rank { display: grid; gap: 0.375rem; padding: 1rem 0; border-top: 1px solid var(--line); min-width: 0; }
.rank:first-child { border-top: 0; padding-block-start: 0.25rem; }
.rank-head { display: flex; align-items: baseline; gap: 0.5rem; min-width: 0; }
.rank-head h2 { font-size: 1rem; min-width: 0; } .rank-head h2 a { text-decoration: none; } .rank-head h2 a:hover { text-decoration: underline; }
.rank-number { min-width: 1.25rem; color: var(--muted); font-size: var(--small); font-variant-numeric: tabular-nums; }
.score-text { margin-inline-start: auto; white-space: nowrap; color: var(--muted); font-size: var(--tiny); font-variant-numeric: tabular-nums; }
.rank > :not(.rank-head) { margin-inline-start: 1.75rem; }
.rank .excerpt { font-size: 0.875rem; }
.line-found { font-size: var(--small); color: var(--muted); border-inline-start: 2px solid var(--line); padding-inline-start: 0.625rem; }
.words { display: grid; gap: 0.1875rem; margin-block: 0.125rem; max-width: 30rem; }
.words li { display: grid; grid-template-columns: minmax(4rem, 8rem) minmax(2rem, 1fr) 2.5rem 7rem; gap: 0.625rem; align-items: center; font-size: var(--small); }
.word { min-width: 0; } .word.missing { color: var(--muted); text-decoration: line-through; }
.word-share { text-align: end; font-variant-numeric: tabular-nums; } .word-field { color: var(--muted); font-size: var(--tiny); }
.found-sections { display: grid; gap: 0.75rem; } .found-title { font-weight: 550; display: flex; justify-content: space-between; gap: 0.75rem; align-items: baseline; }
.found-sections li > * + * { margin-block-start: 0.125rem; }
.card > .section-head { margin-block-end: 0; align-items: center; }
.beside .code pre { max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.catalog-text .code pre { max-height: 38rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.columns-find .card-title + .catalog-text { margin-block-start: 0.5rem; }
.agent-bars { display: grid; gap: 0.375rem; max-width: 44rem; }
.agent-bars li { display: grid; grid-template-columns: minmax(6rem, 10rem) minmax(3rem, 1fr) 13rem; gap: 0.875rem; align-items: center; font-size: 0.875rem; }
.agent { scroll-margin-top: 1rem; } .agent .notice { margin-block-end: 0.75rem; } .definitions + .notice { margin-block-start: 0.75rem; }
@media (min-width: 44.01rem) { .agent .table { table-layout: fixed; } .agent .table th:nth-child(1) { width: 32%; } .agent .table th:nth-child(2) { width: 14%; } .agent .table th:nth-child(3) { width: 12%; } .agent .table .number + :is(th, td) { padding-inline-start: 2rem; } } .agent .places { margin-block-end: 0.75rem; }
.go-link { white-space: nowrap; } .go-link kbd { font-size: var(--tiny); }
.go-list { display: grid; } .go-list a { display: grid; grid-template-columns: 4rem minmax(8rem, auto) minmax(0, 1fr); gap: 0.75rem; align-items: baseline; padding: 0.4375rem 0.625rem; border-radius: var(--radius); text-decoration: none; color: var(--text); }
.go-list a:hover, .go-list a:focus-visible { background: var(--accent-soft); } .go-kind { color: var(--muted); font-size: var(--tiny); } .go-title { font-weight: 600; }
.go-about { color: var(--muted); font-size: var(--small); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.palette { width: min(44rem, calc(100vw - 2rem)); max-height: 80vh; margin-block-start: 10vh; padding: 0.875rem; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); color: var(--text); box-shadow: 0 12px 40px rgb(0 0 0 / 0.25); overflow-y: auto; } .palette::backdrop { background: rgb(0 0 0 / 0.35); }
.moment { font-variant-numeric: tabular-nums; white-space: nowrap; }
@supports selector(::details-content) { @media (min-width: 56.01rem) { .heat-box > summary { display: none; } } }
@media (max-width: 56rem) {
  .overview, .columns-heat, .columns-find, .pairs { grid-template-columns: minmax(0, 1fr); }
  .columns-heat > .heat-box, .columns-heat > .text { grid-column: 1; grid-row: auto; position: static; }
  .columns-heat > .heat-box { border-inline-start: 0; padding-inline-start: 0; border: 1px solid var(--line); border-radius: 8px; padding: 0.5rem 0.75rem; background: var(--surface); }
  .columns-find > .beside { position: static; }
  .filter-row { grid-auto-flow: row; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); } .filter-words { grid-column: 1 / -1; }
}
@media (max-width: 44rem) {
  .table.dense tbody tr { display: flex; flex-wrap: wrap; gap: 0.125rem 0.875rem; }
  .table.dense tbody th { flex: 0 0 100%; } .table.dense tbody td { width: auto; max-width: 100%; }
  .table .number .share-bar { margin-inline-start: 0; }
  .table .tags { display: inline-flex; vertical-align: top; }
  .table td > .row { display: inline-flex; max-width: 100%; }
  .table .under { display: inline-block; margin-inline-start: 0.5rem; vertical-align: middle; }
  .skill-about { -webkit-line-clamp: 2; } .go-list a { grid-template-columns: 3.5rem minmax(0, 1fr); } .go-about { grid-column: 2; }
}
@media (max-width: 44rem) { .attention code { grid-column: 2; grid-row: auto; } .go-list a { row-gap: 0.125rem; } }
@media (max-width: 30rem) {
  .attention li { grid-template-columns: minmax(0, 1fr); } .attention li > *, .attention .small { grid-column: 1; grid-row: auto; }
  .go-link kbd { display: none; }
  .words { gap: 0.375rem; } .words li { grid-template-columns: minmax(0, 1fr) 2.25rem 7.5rem; gap: 0.125rem 0.625rem; } .words .share-bar { grid-column: 1 / -1; grid-row: 2; }
  .agent-bars li { grid-template-columns: minmax(0, 1fr); gap: 0.125rem; }
  .rank > :not(.rank-head) { margin-inline-start: 0; }
}
`;
