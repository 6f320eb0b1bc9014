/** Trims, and makes every run of white space one space. */
export function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
