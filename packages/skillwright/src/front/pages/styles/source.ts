// Untrusted text and source code.

/** Prose, code, numbered lines, differences. */
export const sourceStyles = `.prose { max-width: 48rem; overflow-wrap: anywhere; line-height: 1.65; unicode-bidi: isolate; }
.prose > * + * { margin-block-start: 0.875rem; }
.prose :is(h2, h3, h4, h5, h6) { margin-block: 1.75rem 0.5rem; scroll-margin-top: 1rem; }
.prose > :is(h2, h3, h4):first-child { margin-block-start: 0; }
.prose h2 { font-size: 1.3125rem; } .prose h3 { font-size: 1.125rem; padding-block-start: 0; } .prose h4 { font-size: 1rem; }
.prose :target { background: var(--accent-soft); box-shadow: -0.5rem 0 0 var(--accent-soft), 0.5rem 0 0 var(--accent-soft); }
.prose ul { list-style: disc; } .prose ol { list-style: decimal; }
.prose :is(ul, ol) { padding-inline-start: 1.5rem; }
.prose li + li, .prose li > :is(ul, ol) { margin-block-start: 0.25rem; }
.prose li > * + * { margin-block-start: 0.5rem; }
.prose blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
.prose blockquote blockquote blockquote { padding-inline-start: 0.2rem; border-inline-start-width: 1px; }
.prose :is(ul, ol) :is(ul, ol) :is(ul, ol) :is(ul, ol) { padding-inline-start: 0.5rem; }
.prose :not(pre) > code { background: var(--sunken); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
.prose a code { color: inherit; }
.prose table { border-collapse: collapse; font-size: 0.875rem; }
.prose :is(th, td) { border: 1px solid var(--line); padding: 0.375rem 0.625rem; text-align: start; vertical-align: top; min-width: 5rem; }
.prose th { background: var(--sunken); font-weight: 600; }
.prose .align-right { text-align: end; } .prose .align-center { text-align: center; }
.scroll { overflow-x: auto; max-width: 100%; }
.dead-link { text-decoration: underline dotted; text-underline-offset: 0.18em; color: var(--muted); }
.no-image { display: inline-block; padding: 0 0.5rem; border: 1px dashed var(--edge); border-radius: 4px; color: var(--muted); font-size: var(--small); }
.no-image::before { content: "image: "; }
.code { position: relative; border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunken); min-width: 0; }
.code pre { overflow-x: auto; padding: 0.625rem 0.875rem; line-height: 1.55; tab-size: 4; overflow-wrap: normal; border-radius: var(--radius); }
.code.command pre { padding-inline-end: 4.5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.notice .code pre { white-space: pre-wrap; overflow-wrap: anywhere; padding-inline-end: 4.5rem; }
.code.command code::before { content: "$ "; color: var(--muted); }
.copy { position: absolute; top: 0.3125rem; inset-inline-end: 0.3125rem; border: 1px solid var(--line); border-radius: 4px; background: var(--surface); color: var(--muted); font-size: var(--tiny); line-height: 1.5; padding: 0.125rem 0.5rem; min-height: 1.5rem; cursor: pointer; }
.copy[hidden] { display: none; }
@media (max-width: 30rem) { .prose .code > .copy:not([hidden]) { position: static; display: block; margin: 0 0.3125rem 0.3125rem auto; } }
.copy:hover { color: var(--text); border-color: var(--edge); }
.tok-keyword, .tok-operatorKeyword { color: var(--accent); } .tok-string, .tok-string2 { color: var(--good); } .tok-comment { color: var(--muted); font-style: italic; }
.tok-number, .tok-bool, .tok-literal, .tok-atom { color: var(--warn); }
.lines pre { padding: 0.5rem 0; }
.line { display: flex; scroll-margin-top: 3rem; }
.line:target, .line.marked { background: var(--warn-soft); }
.line:target { outline: 1px solid var(--warn); }
.line-number { flex: none; width: 3.75rem; padding-inline-end: 1rem; text-align: end; color: var(--muted); text-decoration: none; user-select: none; font-variant-numeric: tabular-nums; }
.line-text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; flex: 1; min-width: 0; padding-inline-end: 0.875rem; }
.line-note { font: var(--tiny)/1.9 var(--sans); color: var(--warn); padding-inline-end: 0.875rem; max-width: 40%; }
.hidden-character { background: var(--bad-soft); color: var(--bad); border-radius: 3px; padding: 0 0.25em; font-size: 0.85em; }
.diff { display: grid; gap: 0.875rem; }
.diff-file { border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; background: var(--surface); min-width: 0; }
.diff-file summary { padding: 0.5rem 0.875rem; background: var(--sunken); overflow-wrap: anywhere; }
.diff-file summary:focus-visible { outline-offset: -2px; }
.diff-count ins, .diff-count del { text-decoration: none; font: var(--tiny) var(--mono); }
.diff-count ins { color: var(--good); } .diff-count del { color: var(--bad); }
.diff-text { padding-block: 0.375rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; }
.diff-text > * { display: block; padding-inline: 0.875rem; text-decoration: none; unicode-bidi: isolate; }
.diff-text ins { background: var(--good-soft); } .diff-text del { background: var(--bad-soft); }
.diff-text .hunk { color: var(--muted); background: var(--sunken); margin-block: 0.375rem; }
.pad { padding: 0.625rem 0.875rem; }
.tree { font: var(--small)/1.9 var(--mono); } .tree ul { list-style: none; padding-inline-start: 1.25rem; margin: 0; } .tree > ul { padding: 0; }
.tree summary { cursor: pointer; font-weight: 600; } .tree li { overflow-wrap: anywhere; } .tree .muted { font: var(--tiny) var(--sans); margin-inline-start: 0.5rem; }
.file-tree td, .file-tree th { font-family: var(--mono); font-size: var(--small); }
.evidence { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.625rem; }
.evidence li { border: 1px solid var(--line); border-radius: var(--radius); padding: 0.625rem 0.875rem; background: var(--surface); display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem; }
.evidence .row > * { min-width: 0; overflow-wrap: anywhere; } .evidence code { overflow-wrap: anywhere; }
@media (max-width: 30rem) { .line-number { width: 2.5rem; padding-inline-end: 0.5rem; } .line { flex-wrap: wrap; } .line-text { flex-basis: 60%; } .line-note { max-width: none; padding-inline-start: 2.5rem; } }
`;
