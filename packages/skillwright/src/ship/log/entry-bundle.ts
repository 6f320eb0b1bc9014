// Bundles of entries, C2SP tlog-tiles: each entry after its length in two bytes.

import { malformed } from './malformed.ts';

/** Longest entry that fits a bundle. */
export const MAX_ENTRY_BYTES = 65_535;

/** The bytes of a bundle. */
export function encodeEntries(entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw malformed(`an entry has ${entry.length} bytes`);
      return [Uint8Array.of(entry.length >> 8, entry.length & 255), entry];
    }),
  );
}

/** The entries of a bundle that has `width` of them. */
export function decodeEntries(bytes: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at + 2 <= bytes.length && entries.length < width) {
    const end = at + 2 + bytes[at]! * 256 + bytes[at + 1]!;
    if (end > bytes.length) throw malformed('a bundle of entries ends within an entry');
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  if (entries.length !== width || at !== bytes.length) {
    throw malformed(`a bundle does not have exactly ${width} entries`);
  }
  return entries;
}
