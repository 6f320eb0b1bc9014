// Bytes by key, outside the heap: a busy server remembers tens of thousands of rows, and collecting garbage would go through all
// of them again and again.

/** Bytes by label and key. The oldest entries are forgotten first. */
export type PackedStore<Key extends number | string> = ReturnType<typeof createPackedStore<Key>>;

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
export function createPackedStore<Key extends number | string>(maxBytes: number) {
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
    get(label: string, key: Key): Uint8Array | undefined {
      const place = places.get(label)?.get(key);
      if (place === undefined) return undefined;
      const start = Math.floor(place / BLOCK) % BLOCK;
      return blocks[slotOf(place)]?.bytes.subarray(start, start + (place % BLOCK));
    },
    set(label: string, key: Key, bytes: Uint8Array): void {
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
    /** Forgets these keys under every label. */
    forget(keys: ReadonlySet<Key>): void {
      for (const [label, shelf] of places) {
        if (keys.size <= shelf.size) for (const key of keys) shelf.delete(key);
        else for (const key of shelf.keys()) if (keys.has(key)) shelf.delete(key);
        if (shelf.size === 0) places.delete(label);
      }
    },
    /** Forgets everything under the labels. */
    forgetLabels(isMeant: (label: string) => boolean): void {
      for (const label of places.keys()) if (isMeant(label)) places.delete(label);
    },
  };
}

/** The best skills of one term, heaviest first. */
export interface Posting {
  readonly skills: Uint32Array;
  readonly weights: Uint8Array;
}

/** Skills of one list at most. */
export const MAX_SKILLS_PER_TERM = 100;

export const emptyPosting: Posting = { skills: new Uint32Array(0), weights: new Uint8Array(0) };

/** Whether there may be more skills with the term. */
export function isFull({ skills }: Posting): boolean {
  return skills.length === MAX_SKILLS_PER_TERM;
}

/** The skills, four bytes each, then the weights. */
export function packPosting({ skills, weights }: Posting): Uint8Array {
  const bytes = new Uint8Array(5 * skills.length);
  bytes.set(new Uint8Array(skills.buffer, skills.byteOffset, skills.byteLength));
  bytes.set(weights, skills.byteLength);
  return bytes;
}

/** Views of the bytes, which start at a multiple of four. */
export function readPosting({ buffer, byteOffset, length: size }: Uint8Array): Posting {
  if (size === 0) return emptyPosting;
  const length = size / 5;
  return {
    skills: new Uint32Array(buffer, byteOffset, length),
    weights: new Uint8Array(buffer, byteOffset + 4 * length, length),
  };
}
