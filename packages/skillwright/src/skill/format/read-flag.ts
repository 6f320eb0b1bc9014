// Reads a flag of the frontmatter. Free of zod, because it runs for every skill.

/** Common words for yes and no. */
const flagWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

/** A boolean, also written as yes/no, on/off or 1/0 in any case; undefined for anything else. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const isWord = typeof value === 'string' || typeof value === 'number';
  return isWord ? flagWords.get(String(value).toLowerCase()) : undefined;
}
