// Strangers' text inside Markdown of ours: no links, images, mentions, HTML, or ends of tables and fences.

import { makeVisible } from '../../base/diagnostics/index.ts';

const MAX = 300;
/** Characters without a width, which could split a word that is looked for. */
const unseen = /[\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** Untrusted text as code on one line: forges read nothing in it. Empty text stays empty. */
export function code(text: string, max: number = MAX): string {
  const shown = oneLine(text, max).replaceAll('`', "'").replaceAll('|', '¦');
  return shown === '' ? '' : `\`${shown}\``;
}

/**
 * The same as words: letters, digits and harmless signs pass, the rest is written as entities. A space without a width
 * keeps forges from reading mentions, references and addresses, which they look for after entities are decoded.
 */
export function plain(text: string, max: number = MAX): string {
  return oneLine(text, max)
    .replace(/[^\p{L}\p{N} .,;:!?/'"()%+=-]/gu, (sign) => `&#${sign.codePointAt(0)};&#8203;`)
    .replace(/(https?|www)(?=[:.])/gi, '$1&#8203;');
}

const oneLine = (text: string, max: number): string => {
  const line = makeVisible(text.replace(unseen, '').replace(/\s+/g, ' ').trim());
  return line.length > max ? `${line.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : line;
};
