// Foreign text inside a message: one line, bounded, in quotes.

/** Longest foreign text a message repeats, in UTF-16 units. */
const QUOTE_LIMIT = 80;

/** The text in single quotes, white space collapsed, control characters visible, cut with `…` where it is long. */
export function quoteText(text: string): string {
  return `'${boundText(text, QUOTE_LIMIT)}'`;
}

/** The text on one line and at most `limit` units long. */
export function boundText(text: string, limit: number): string {
  const cut = text.length > limit;
  const kept = cut ? text.slice(0, limit - 1).toWellFormed() : text;
  const line = kept.replace(/\s+/g, ' ').replace(/\p{C}/gu, escapeCharacter);
  return cut ? `${line.replace(/\ufffd$/, '')}…` : line;
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
