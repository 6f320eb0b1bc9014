// Forms: fields with labels, hints and errors.

import { type Content, type Html, html } from './html.ts';

/** A form that changes something: POST, with the token that shows it came from our own page. */
export function form(options: {
  readonly action: string;
  readonly csrf: string;
  readonly content: Content;
  readonly label?: string;
  readonly isInline?: boolean;
}): Html {
  const { action, csrf, content, label, isInline = false } = options;
  const name = label === undefined ? '' : html` aria-label="${label}"`;
  return html`<form method="post" action="${action}" class="${isInline ? 'form-inline' : 'form'}"${name}><input type="hidden" name="csrf" value="${csrf}">${content}</form>`;
}

/** A field of one line, or of several. */
interface FieldOptions {
  readonly name: string;
  /** Where a page has several fields of this name; by default made from the name. */
  readonly id?: string;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'number' | 'url' | 'search' | 'email';
  readonly value?: string | undefined;
  readonly hint?: Content;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  readonly rows?: number;
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly inputMode?: 'text' | 'numeric' | 'url';
}

/** A labelled field. */
export function field(options: FieldOptions): Html {
  const { name, label, type = 'text', value = '', isRequired, rows, placeholder } = options;
  const { hint, error, id, described } = explained(options);
  const attributes = html` id="${id}" name="${name}"${described}${isRequired ? html` required` : ''}${
    options.maxLength === undefined ? '' : html` maxlength="${options.maxLength}"`
  }${placeholder === undefined ? '' : html` placeholder="${placeholder}"`}`;
  const more = html`${options.autocomplete === undefined ? '' : html` autocomplete="${options.autocomplete}"`}${
    options.inputMode === undefined ? '' : html` inputmode="${options.inputMode}"`
  }`;
  const control =
    rows === undefined
      ? html`<input type="${type}"${attributes} value="${value}"${more} dir="auto">`
      : html`<textarea rows="${rows}"${attributes} dir="auto">${value}</textarea>`;
  return html`<div class="field"><label for="${id}">${label}${isRequired ? '' : html` <span class="muted">(optional)</span>`}</label>${hint}${control}${error}</div>`;
}

/** One choice of a list. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: Content;
}

/** A choice from a drop-down list. */
export function selectField(options: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value?: string | undefined;
  readonly hint?: Content;
  readonly error?: string | undefined;
}): Html {
  const { name, label, choices, value = '' } = options;
  const { hint, error, id, described } = explained(options);
  return html`<div class="field"><label for="${id}">${label}</label>${hint}<select id="${id}" name="${name}"${described}>${choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value ? html` selected` : ''}>${choice.label}</option>`,
  )}</select>${error}</div>`;
}

/** Several boxes to tick, or one of several to choose. */
export function choiceField(options: {
  readonly name: string;
  readonly label: string;
  readonly kind: 'checkbox' | 'radio';
  readonly choices: readonly Choice[];
  readonly chosen?: readonly string[];
  readonly hint?: Content;
  readonly error?: string | undefined;
}): Html {
  const { name, label, kind, choices, chosen = [] } = options;
  const { hint, error, id, described } = explained(options);
  return html`<fieldset class="field"${described}><legend>${label}</legend>${hint}${choices.map(
    (choice, at) =>
      html`<div class="choice"><input type="${kind}" id="${id}-${at}" name="${name}" value="${choice.value}"${
        chosen.includes(choice.value) ? html` checked` : ''
      }><label for="${id}-${at}">${choice.label}${choice.hint === undefined ? '' : html` <span class="muted">${choice.hint}</span>`}</label></div>`,
  )}${error}</fieldset>`;
}

/** A button that sends its form. */
export function submit(
  label: string,
  options: { kind?: 'primary' | 'plain' | 'danger'; name?: string; value?: string } = {},
): Html {
  const { kind = 'primary', name, value } = options;
  const sent = name === undefined ? '' : html` name="${name}" value="${value}"`;
  return html`<button type="submit" class="button ${kind}"${sent}>${label}</button>`;
}

function explained({
  name,
  id = `field-${name}`,
  hint,
  error,
}: {
  name: string;
  id?: string;
  hint?: Content;
  error?: string | undefined;
}) {
  const ids = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  const said = ids.filter(Boolean).join(' ');
  return {
    id,
    hint: hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`,
    error: error === undefined ? '' : html`<p class="field-error" id="${id}-error">${error}</p>`,
    described: html`${said === '' ? '' : html` aria-describedby="${said}"`}${error === undefined ? '' : html` aria-invalid="true"`}`,
  };
}
