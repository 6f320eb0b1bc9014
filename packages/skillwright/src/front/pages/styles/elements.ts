// Plain elements.

/** Type, links, focus, and helpers every page uses. */
export const elementStyles = `*, *::before, *::after { box-sizing: border-box; }
html { font-size: 100%; -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--bg); color: var(--text); font: 0.9375rem/1.55 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, h6 { margin: 0; line-height: 1.25; font-weight: 640; letter-spacing: -0.011em; text-wrap: balance; }
h1 { font-size: 1.625rem; }
h2 { font-size: 1.1875rem; }
h3 { font-size: 1rem; }
h4, h5, h6 { font-size: 0.9375rem; }
p, ul, ol, dl, pre, figure, fieldset { margin: 0; padding: 0; }
ul, ol { list-style: none; }
a { color: var(--accent); text-decoration: underline; text-decoration-color: color-mix(in srgb, currentColor 35%, transparent); text-underline-offset: 0.18em; }
a:hover { color: var(--accent-strong); text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
code, kbd, pre, samp { font-family: var(--mono); font-size: 0.8125rem; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 0.35em; color: var(--muted); background: var(--surface); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
img { max-width: 100%; height: auto; }
summary { cursor: pointer; }
time, time + .muted { white-space: nowrap; }
.muted { color: var(--muted); }
.small { font-size: var(--small); }
.mono { font-family: var(--mono); font-size: var(--small); }
.nowrap { white-space: nowrap; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: 0.5rem; top: -4rem; z-index: 10; padding: 0.5rem 0.875rem; background: var(--text); color: var(--bg); border-radius: var(--radius); }
.skip:focus { top: 0.5rem; color: var(--bg); }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { transition: none !important; animation: none !important; scroll-behavior: auto !important; } }
@media (forced-colors: active) { .badge, .card, .notice { border: 1px solid; } }
`;
