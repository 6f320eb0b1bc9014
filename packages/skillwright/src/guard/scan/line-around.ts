// The line that a place in a text belongs to.

/** Where the line of a place begins. */
export const lineStart = (text: string, index: number): number => text.lastIndexOf('\n', index - 1) + 1;

/** The line of a place, as far as it lies within so many characters before and behind it. */
export function lineAround(text: string, index: number, reach: { before: number; after: number }): string {
  const end = text.indexOf('\n', index);
  return text.slice(
    Math.max(lineStart(text, index), index - reach.before),
    Math.min(end < 0 ? text.length : end, index + reach.after),
  );
}
