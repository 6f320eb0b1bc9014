// The order of paths everywhere in the product: bytewise. And the names in a directory, in that order.

import { readdirSync } from 'node:fs';

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
 * Sorts in place by the UTF-8 bytes of a key. The engine sorts plain strings by code units, which is the same where there
 * are not surrogates; comparing in a function is most of the time of a short run.
 */
export function sortByBytes<Item>(items: Item[], keyOf: (item: Item) => string): Item[] {
  const keys = items.map(keyOf);
  let isSorted = true;
  for (let index = 1; isSorted && index < keys.length; index++)
    isSorted = (keys[index - 1] as string) <= (keys[index] as string);
  const isPlain = !surrogate.test(keys.join(''));
  if (isSorted && isPlain) return items;
  const byKey = new Map<string, Item>();
  for (let index = 0; index < items.length; index++) byKey.set(keys[index] as string, items[index] as Item);
  if (!isPlain || byKey.size < items.length) return items.sort((a, b) => compareBytes(keyOf(a), keyOf(b)));
  keys.sort().forEach((key, index) => {
    items[index] = byKey.get(key) as Item;
  });
  return items;
}

const surrogate = /[\ud800-\udfff]/;

const isVisible = (name: string) => !name.startsWith('.');
/** Keeps every name, hidden ones too. */
export const anyName = () => true;

/** The names in a directory that `matches` keeps, hidden ones left out by default, in bytewise order. None when it cannot be listed. */
export function namesIn(directory: string, matches: (name: string) => boolean = isVisible): string[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  return names.filter(matches).sort(compareBytes);
}
