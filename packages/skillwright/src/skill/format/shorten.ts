// Shortens texts for messages.

/** The text, or its first `limit - 1` characters and an ellipsis. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // A character takes at most two units, and one more character shows whether the text continues.
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text;
}
