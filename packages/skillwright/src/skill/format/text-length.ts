// Text lengths in code points, as the open standard counts them, and texts cut to one.

/** Longest description in the open standard. */
export const DESCRIPTION_LIMIT = 1024;
/** Longest compatibility note in the open standard. */
export const COMPATIBILITY_LIMIT = 500;

/** Number of code points in a text. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count--;
      at++;
    }
  }
  return count;
}

/** Whether a text has at most `limit` code points; counts characters only when needed. */
export function fitsWithin(text: string, limit: number): boolean {
  return text.length <= limit || countCodePoints(text) <= limit;
}

/** The text, or its first `limit - 1` characters and an ellipsis. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // A character takes at most two units, and one more character shows whether the text continues.
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text;
}
