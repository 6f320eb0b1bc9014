// JSON with one spelling per value: sorted keys, no spaces. Digests and leaves are made of it.

/** Canonical JSON of plain values. */
export function canonicalJson(value: object): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
