// Texts of any length, made fit for a message.

/** The text, or its first `limit - 1` characters and an ellipsis. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Two units are the most that one character takes, and one more character tells whether the text goes on.
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text;
}
