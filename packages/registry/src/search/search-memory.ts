// Rows that searches have read, kept in this process while the database does not change.

import type { SkillSummary } from 'skillwright/registry-protocol';
import type { Registry } from '../registry.ts';
import { createPostingStore, type PostingStore } from './posting-store.ts';

/** A skill found by its name. */
export type NamedSkill = readonly [id: number, name: string];

/** Results of one state of the database. */
export interface SearchMemory {
  readonly postings: PostingStore;
  /** Names by their beginning. `about` is as in the store of postings. */
  names(about: string): Kept<string, readonly NamedSkill[]>;
  /** Summaries by id; null for a skill that callers with these scopes may not see. */
  summaries(scopes: string): Kept<number, SkillSummary | null>;
}

/** Values by key. */
export interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/** About 25 MB when all are full. */
const MAX_POSTINGS = { lists: 100_000, entries: 2 ** 21 };
const MAX_NAMES = 2000;
const MAX_SUMMARIES = 6000;

interface State {
  snapshot: string;
  memory: SearchMemory;
  running: Promise<string> | undefined;
  next: Promise<string> | undefined;
}

const states = new WeakMap<Registry, State>();

/**
 * The memory of the present state of the database. PostgreSQL names the set of transactions a statement sees: two statements
 * with the same name see the same rows, and a name never comes back once another transaction has committed. So a search finds
 * everything that was committed before it began, and what is kept needs no further check.
 */
export async function recallSearches(registry: Registry): Promise<SearchMemory> {
  const known = states.get(registry);
  const state = known ?? { snapshot: '', memory: createMemory(), running: undefined, next: undefined };
  states.set(registry, state);
  const snapshot = await askSnapshot(registry, state);
  if (snapshot !== state.snapshot) {
    state.snapshot = snapshot;
    state.memory = createMemory();
  }
  return state.memory;
}

/** Searches that begin while a question is under way share the next one: an answer is never older than its search. */
function askSnapshot(registry: Registry, state: State): Promise<string> {
  if (state.next !== undefined) return state.next;
  if (state.running !== undefined) {
    const after = () => {
      state.next = undefined;
      return start(registry, state);
    };
    state.next = state.running.then(after, after);
    return state.next;
  }
  return start(registry, state);
}

function start({ database }: Registry, state: State): Promise<string> {
  const running = database
    .query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
    .then(([row]) => row!.snapshot)
    .finally(() => {
      if (state.running === running) state.running = undefined;
    });
  state.running = running;
  return running;
}

function createMemory(): SearchMemory {
  return {
    postings: createPostingStore(MAX_POSTINGS),
    names: createShelves(MAX_NAMES),
    summaries: createShelves(MAX_SUMMARIES),
  };
}

/** Shelves by label. When the present ones are full they replace the last ones; values that are used move on with them. */
function createShelves<Key, Value>(most: number): (label: string) => Kept<Key, Value> {
  type Shelves = Map<string, Map<Key, Value>>;
  let present: Shelves = new Map();
  let last: Shelves = new Map();
  let size = 0;
  const put = (label: string, key: Key, value: Value): void => {
    if (size * 2 >= most) {
      [last, present, size] = [present, new Map(), 0];
    }
    const shelf = present.get(label) ?? new Map<Key, Value>();
    present.set(label, shelf);
    shelf.set(key, value);
    size += 1;
  };
  return (label) => ({
    get(key) {
      const known = present.get(label)?.get(key);
      if (known !== undefined) return known;
      const earlier = last.get(label)?.get(key);
      if (earlier !== undefined) put(label, key, earlier);
      return earlier;
    },
    set: (key, value) => put(label, key, value),
  });
}
