// Percent-encoding, as addresses have it.

/** The text with percent-encoding resolved; the text itself where that is malformed. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
