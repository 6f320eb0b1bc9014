// Small numbers for the skills of one search, so that their scores fit into short arrays.

/** Slots of the table; a power of two, several times the skills of a search. */
const SLOTS = 2 ** 14;

/** Numbers ids from zero, in the order in which they are first seen. */
export interface Numbering {
  readonly size: number;
  numberOf(id: number): number;
  idOf(number: number): number;
}

const owners = new Uint32Array(SLOTS);
const keys = new Uint32Array(SLOTS);
const values = new Uint16Array(SLOTS);
const ids = new Uint32Array(SLOTS);
let owner = 0;

/** Starts again at zero. One table serves all searches, one after another: use the numbering before you wait for anything. */
export function startNumbering(): Numbering {
  owner = (owner + 1) >>> 0;
  if (owner === 0) {
    owners.fill(0);
    owner = 1;
  }
  let size = 0;
  return {
    get size() {
      return size;
    },
    numberOf(id) {
      let slot = (Math.imul(id, 0x9e3779b1) >>> 0) % SLOTS;
      while (owners[slot] === owner) {
        if (keys[slot] === id) return values[slot] as number;
        slot = (slot + 1) % SLOTS;
      }
      if (size >= SLOTS / 2) throw new RangeError('too many skills in one search');
      owners[slot] = owner;
      keys[slot] = id;
      values[slot] = size;
      ids[size] = id;
      return size++;
    },
    idOf: (number) => ids[number] as number,
  };
}
