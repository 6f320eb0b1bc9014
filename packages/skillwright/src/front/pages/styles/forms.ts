// Forms and buttons.

/** Fields, choices, buttons. */
export const formStyles = `input, select, textarea, button { font: inherit; color: inherit; }
input:not([type="checkbox"], [type="radio"], [type="hidden"]), select, textarea { width: 100%; min-height: 2.25rem; padding: 0.375rem 0.625rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--surface); }
textarea { resize: vertical; line-height: 1.5; }
::placeholder { color: var(--muted); opacity: 1; }
input[type="search"]::-webkit-search-cancel-button { display: none; }
input[type="checkbox"], input[type="radio"] { width: 1rem; height: 1rem; margin: 0.25rem 0 0; accent-color: var(--accent); flex: none; }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.25rem; padding: 0.3125rem 0.875rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--surface); color: var(--text); text-decoration: none; font-size: 0.875rem; font-weight: 550; cursor: pointer; }
.button:hover { background: var(--sunken); color: var(--text); }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.primary:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
.button.danger { border-color: var(--bad); color: var(--bad); }
.button.danger:hover { background: var(--bad-soft); }
.form { display: grid; gap: 1rem; max-width: 34rem; }
.form > .button { justify-self: start; }
.form-inline { display: inline-flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; }
.form-inline .button { min-height: 1.875rem; padding-block: 0.125rem; font-size: var(--small); }
.form-inline:has(> .field) > .button { min-height: 2.25rem; }
.link-button { border: 0; background: none; padding: 0.25rem 0; color: var(--muted); cursor: pointer; font-size: 0.875rem; }
.link-button:hover { color: var(--text); text-decoration: underline; }
.field { display: grid; gap: 0.25rem; border: 0; min-width: 0; }
.field > label, .field > legend { font-size: var(--small); font-weight: 600; padding: 0; }
.field > legend { margin-block-end: 0.25rem; }
.field .hint { font-size: var(--small); color: var(--muted); }
.field-error { font-size: var(--small); color: var(--bad); font-weight: 550; }
[aria-invalid="true"] { border-color: var(--bad) !important; }
.choice { display: flex; gap: 0.5rem; align-items: flex-start; font-size: 0.875rem; }
.choice label { min-width: 0; }
@media (max-width: 30rem) { .choice { padding-block: 0.125rem; } .form-inline > .field { flex: 1 1 7rem; } }
.filters { display: grid; gap: 0.875rem; }
.filters .big-search { margin-block-end: 0.25rem; }
.filters-box > summary { font-weight: 600; font-size: var(--small); }
.filters-box[open] > summary { margin-block-end: 0.75rem; }
.button[aria-pressed="true"] { background: var(--accent-soft); border-color: var(--accent); color: var(--accent-strong); }
.stars-form .button { min-width: 2rem; padding-inline: 0.5rem; font-weight: 500; border-color: var(--line); }
.stars-form .button[aria-pressed="true"] { border-color: var(--accent); }
`;
