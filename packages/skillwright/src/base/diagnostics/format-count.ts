// Counts with their noun.

/** `1 file`, `2 files`: for nouns that take an s. */
export function formatCount(count: number | bigint, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
