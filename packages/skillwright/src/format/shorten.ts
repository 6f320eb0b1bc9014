// Texts of any length, made fit for a message.

/** The text, or its first `limit - 1` characters and an ellipsis. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Twice the limit in code units holds at least `limit` code points.
  const characters = [...text.slice(0, 2 * limit)];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text;
}
