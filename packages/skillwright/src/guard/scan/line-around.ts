// The line around a position in a text.

/** Where the line of a position starts. */
export const lineStart = (text: string, index: number): number => text.lastIndexOf('\n', index - 1) + 1;

/** The line around a position, up to a maximum number of characters before and after it. */
export function lineAround(text: string, index: number, reach: { before: number; after: number }): string {
  const end = text.indexOf('\n', index);
  return text.slice(
    Math.max(lineStart(text, index), index - reach.before),
    Math.min(end < 0 ? text.length : end, index + reach.after),
  );
}
