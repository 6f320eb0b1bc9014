// The order of paths everywhere in the product: bytewise.

/** Compares two strings by their UTF-8 bytes. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // Surrogates stand for characters above every other code unit.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    return leftHigh === rightHigh ? left - right : leftHigh ? 1 : -1;
  }
  return a.length - b.length;
}

/**
 * Sorts in place by the UTF-8 bytes of a key. The engine's own comparison goes by code units, which is the same where
 * there are no surrogates; a loop over characters is most of the time of a short run.
 */
export function sortByBytes<Item>(items: Item[], keyOf: (item: Item) => string): Item[] {
  if (items.some((item) => surrogate.test(keyOf(item))))
    return items.sort((a, b) => compareBytes(keyOf(a), keyOf(b)));
  let isSorted = true;
  for (let index = 1; isSorted && index < items.length; index++)
    isSorted = keyOf(items[index - 1]!) <= keyOf(items[index]!);
  if (isSorted) return items;
  return items.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}

const surrogate = /[\ud800-\udfff]/;
