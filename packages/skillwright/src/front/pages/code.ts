// Code and files as text.

import { showControls } from './foreign.ts';
import { type Content, type Html, html } from './html.ts';

/** A block of code with a button that copies it; the script shows the button. */
export function codeBlock(code: string, options: { label?: string; language?: string } = {}): Html {
  const { label, language } = options;
  const name = language === undefined || language === '' ? '' : html` data-language="${language}"`;
  const about = label === undefined ? '' : html` role="region" aria-label="${label}"`;
  return html`<div class="code"${name}><pre tabindex="0"${about}><code>${code}</code></pre>${copyButton(label)}</div>`;
}

/** One line to paste into a terminal. */
export function commandLine(command: string, label: string): Html {
  return html`<div class="code command"><pre tabindex="0" role="region" aria-label="${label}"><code>${command}</code></pre>${copyButton(label)}</div>`;
}

function copyButton(label: Content): Html {
  return html`<button type="button" class="copy" data-copy hidden>Copy<span class="unseen"> ${label}</span></button>`;
}

/** Lines shown of one file. */
export const MAX_LINES = 5000;

/** A text file with numbered lines, each with an anchor `L<number>`; lines in `marked` have a note. */
export function numberedLines(
  text: string,
  options: {
    readonly label: string;
    readonly marked?: ReadonlyMap<number, string>;
    /** The same lines with colours. */
    readonly coloured?: readonly Content[] | undefined;
  },
): { readonly html: Html; readonly hidden: number } {
  const lines = text.replace(/\n$/, '').split('\n');
  const { label, marked, coloured } = options;
  const shown = lines.slice(0, MAX_LINES).map((line, at) => {
    const number = at + 1;
    const note = marked?.get(number);
    const mark = note === undefined ? '' : html`<span class="line-note">${note}</span>`;
    return html`<span class="line${note === undefined ? '' : ' marked'}" id="L${number}"><a class="line-number" href="#L${number}" tabindex="-1" aria-hidden="true">${number}</a><span class="line-text">${coloured?.[at] ?? showControls(line)}\n</span>${mark}</span>`;
  });
  return {
    html: html`<div class="code lines"><pre tabindex="0" role="region" aria-label="${label}" dir="auto"><code>${shown}</code></pre></div>`,
    hidden: Math.max(0, lines.length - MAX_LINES),
  };
}
