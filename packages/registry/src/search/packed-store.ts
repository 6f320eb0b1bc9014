// Bytes by key, outside the heap: a busy server remembers tens of thousands of rows, and collecting garbage would go through all
// of them again and again.

/** Bytes by label and key. The oldest entries are forgotten first. */
export interface PackedStore<Key extends number | string> {
  get(label: string, key: Key): Uint8Array | undefined;
  set(label: string, key: Key, bytes: Uint8Array): void;
  /** Forgets these keys under every label. */
  forget(keys: ReadonlySet<Key>): void;
  /** Forgets everything under the labels. */
  forgetLabels(isMeant: (label: string) => boolean): void;
}

const BLOCK = 2 ** 18;
/** An entry counts as at least this much, for its key. */
const LEAST = 64;

interface Block<Key> {
  readonly bytes: Uint8Array;
  readonly entries: (readonly [label: string, key: Key])[];
  used: number;
}

/** A place is a number: slot of the block, start and length of the bytes. */
const offsetOf = (slot: number, start: number, length: number) => (slot * BLOCK + start) * BLOCK + length;
const slotOf = (place: number) => Math.floor(place / BLOCK / BLOCK);

/** Keeps at most this many bytes. Entries of more than 256 KiB are not kept. Starts are multiples of four. */
export function createPackedStore<Key extends number | string>(maxBytes: number): PackedStore<Key> {
  const most = Math.max(2, Math.floor(maxBytes / BLOCK));
  const blocks: Block<Key>[] = [];
  const places = new Map<string, Map<Key, number>>();
  let slot = -1;

  const leave = (label: string, key: Key): void => {
    const shelf = places.get(label);
    const place = shelf?.get(key);
    if (shelf === undefined || place === undefined || slotOf(place) !== slot) return;
    shelf.delete(key);
    if (shelf.size === 0) places.delete(label);
  };
  const startBlock = (): Block<Key> => {
    slot = (slot + 1) % most;
    for (const [label, key] of blocks[slot]?.entries ?? []) leave(label, key);
    // Somebody may still read the old block.
    const block: Block<Key> = { bytes: new Uint8Array(BLOCK), entries: [], used: 0 };
    blocks[slot] = block;
    return block;
  };
  return {
    get(label, key) {
      const place = places.get(label)?.get(key);
      if (place === undefined) return undefined;
      const start = Math.floor(place / BLOCK) % BLOCK;
      return blocks[slotOf(place)]?.bytes.subarray(start, start + (place % BLOCK));
    },
    set(label, key, bytes) {
      const size = Math.max(LEAST, (bytes.length + 3) & ~3);
      if (size >= BLOCK) {
        places.get(label)?.delete(key);
        return;
      }
      let block = blocks[slot];
      if (block === undefined || block.used + size > BLOCK) block = startBlock();
      block.bytes.set(bytes, block.used);
      const shelf = places.get(label) ?? new Map<Key, number>();
      places.set(label, shelf);
      shelf.set(key, offsetOf(slot, block.used, bytes.length));
      block.entries.push([label, key]);
      block.used += size;
    },
    forget(keys) {
      for (const [label, shelf] of places) {
        if (keys.size <= shelf.size) for (const key of keys) shelf.delete(key);
        else for (const key of shelf.keys()) if (keys.has(key)) shelf.delete(key);
        if (shelf.size === 0) places.delete(label);
      }
    },
    forgetLabels(isMeant) {
      for (const label of places.keys()) if (isMeant(label)) places.delete(label);
    },
  };
}
