// Messages of codes, with the values of one case filled in and made harmless.

import { type Code, type CodeValues, codes } from './codes.ts';

/** The message of a code with its placeholders filled in. Control characters in values are made visible. */
export function formatMessage<C extends Code>(code: C, values: CodeValues<C>): string {
  const known: Record<string, string> = values;
  return codes[code].message.replace(/<([\w-]+)>/g, (whole, name: string) => {
    const value = known[name];
    return value === undefined ? whole : makeVisible(value);
  });
}

const VISIBLE_LIMIT = 2000;

/** Text from outside on one line: line breaks, escapes, bidirectional controls and characters without a shape become visible, very long text is cut. */
export function makeVisible(value: string): string {
  return cutText(value, VISIBLE_LIMIT).replace(UNSEEN, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Characters a reader cannot see. Joiners stay: words of several scripts and emoji are written with them. */
export const UNSEEN =
  /[\p{Cc}\p{Bidi_Control}\u00ad\u180e\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The text, or its first `most` UTF-16 units and `…`. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${startOf(text, most)}…`;
}

/** The first `most` UTF-16 units of a text. A character outside the basic plane is not cut in half. */
export function startOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
