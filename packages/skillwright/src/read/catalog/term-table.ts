// Numbers words: each new hash gets the next number.

/** Table of hashes and numbers. */
export interface TermTable {
  /** Number of hashes. */
  readonly size: number;
  /** The hashes by number. */
  readonly hashes: Int32Array;
  hashOf(number: number): number;
  /** The number of a hash; -1 when it has none. */
  find(hash: number): number;
  /** The number of a hash; assigns a new one when it has none. */
  numberOf(hash: number): number;
}

/** Creates a table, empty or with known hashes. */
export function createTermTable(known: Int32Array = new Int32Array(0)): TermTable {
  let hashes = known;
  let { length: size } = known;
  let slots = new Int32Array(0);

  /** The slot of a hash, or the free slot for it. A slot holds a number counted from 1. */
  const slotOf = (hash: number): number => {
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] !== 0 && hashes[(slots[slot] as number) - 1] !== hash) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = (): void => {
    const capacity = Math.max(512, 2 ** Math.ceil(Math.log2(size + 1)));
    hashes = enlarge(hashes, capacity);
    slots = new Int32Array(2 * capacity);
    for (let number = 1; number <= size; number++) slots[slotOf(hashes[number - 1] as number)] = number;
  };
  grow();
  return {
    get size() {
      return size;
    },
    get hashes() {
      return hashes.subarray(0, size);
    },
    hashOf: (number) => hashes[number] as number,
    find: (hash) => (slots[slotOf(hash)] as number) - 1,
    numberOf(hash) {
      let slot = slotOf(hash);
      if (slots[slot] !== 0) return (slots[slot] as number) - 1;
      if (size === hashes.length) {
        grow();
        slot = slotOf(hash);
      }
      hashes[size] = hash;
      size += 1;
      slots[slot] = size;
      return size - 1;
    },
  };
}

/** Same numbers with more slots. */
export function enlarge(numbers: Int32Array, size: number): Int32Array {
  const larger = new Int32Array(size);
  larger.set(numbers);
  return larger;
}
