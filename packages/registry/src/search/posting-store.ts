// The best skills of terms, kept outside the heap: a busy server holds millions of these numbers.

/** The best skills of one term, heaviest first. */
export interface Posting {
  readonly skills: Uint32Array;
  readonly weights: Uint8Array;
}

/** Skills of one list at most. */
export const MAX_SKILLS_PER_TERM = 100;

/** Lists by term. `about` names scopes and filters: callers with other rights get other lists. */
export interface PostingStore {
  get(about: string, term: number): Posting | undefined;
  set(about: string, term: number, list: Posting): void;
}

export const emptyPosting: Posting = { skills: new Uint32Array(0), weights: new Uint8Array(0) };

/** Whether there may be more skills with the term. */
export function isFull({ skills }: Posting): boolean {
  return skills.length === MAX_SKILLS_PER_TERM;
}

/** Numbers in one block of memory. */
const BLOCK = 2 ** 15;
const LENGTH_BITS = 7;

/** Lists since some moment. A list is a place in the blocks: number of its first entry, then its length. */
interface Generation {
  readonly places: Map<string, Map<number, number>>;
  readonly blocks: Posting[];
  lists: number;
  used: number;
}

/**
 * Keeps between half of these lists and all of them: when the present generation is full, it replaces the last one. Lists that
 * are used move on with it.
 */
export function createPostingStore(most: { readonly lists: number; readonly entries: number }): PostingStore {
  let present = createGeneration();
  let last = createGeneration();
  const set = (about: string, term: number, list: Posting): void => {
    if (present.lists * 2 >= most.lists || present.blocks.length * BLOCK * 2 > most.entries) {
      last = present;
      present = createGeneration();
    }
    write(present, { about, term, list });
  };
  return {
    get(about, term) {
      const known = read(present, about, term);
      if (known !== undefined) return known;
      const earlier = read(last, about, term);
      if (earlier !== undefined) set(about, term, earlier);
      return earlier;
    },
    set,
  };
}

function createGeneration(): Generation {
  return { places: new Map(), blocks: [], lists: 0, used: BLOCK };
}

function read({ places, blocks }: Generation, about: string, term: number): Posting | undefined {
  const place = places.get(about)?.get(term);
  if (place === undefined) return undefined;
  const length = place & (2 ** LENGTH_BITS - 1);
  if (length === 0) return emptyPosting;
  const entry = place >>> LENGTH_BITS;
  const { skills, weights } = blocks[Math.floor(entry / BLOCK)] as Posting;
  const start = entry % BLOCK;
  return { skills: skills.subarray(start, start + length), weights: weights.subarray(start, start + length) };
}

function write(
  generation: Generation,
  {
    about,
    term,
    list: { skills, weights },
  }: { readonly about: string; readonly term: number; readonly list: Posting },
): void {
  const { length } = skills;
  const { places, blocks } = generation;
  if (generation.used + length > BLOCK && length > 0) {
    blocks.push({ skills: new Uint32Array(BLOCK), weights: new Uint8Array(BLOCK) });
    generation.used = 0;
  }
  const block = blocks.at(-1);
  block?.skills.set(skills, generation.used);
  block?.weights.set(weights, generation.used);
  const entry = length === 0 ? 0 : (blocks.length - 1) * BLOCK + generation.used;
  const own = places.get(about) ?? new Map<number, number>();
  places.set(about, own);
  own.set(term, (entry << LENGTH_BITS) | length);
  generation.lists += 1;
  if (length > 0) generation.used += length;
}
