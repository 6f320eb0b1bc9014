// Text lengths in code points, as the open standard counts them.

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
