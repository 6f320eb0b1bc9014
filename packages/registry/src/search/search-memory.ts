// Rows that searches have read, kept in this process while the database does not change.

import type { SkillSummary } from 'skillwright/registry-protocol';
import type { Registry } from '../registry.ts';

/** The best skills of one term, heaviest first. */
export interface Posting {
  readonly skills: Uint32Array;
  readonly weights: Uint8Array;
}

/** A skill found by its name. */
export type NamedSkill = readonly [id: number, name: string];

/** Results of one state of the database. */
export interface SearchMemory {
  /** Lists by term. `about` names scopes and filters: callers with other rights get other lists. */
  lists(about: string): Kept<number, Posting>;
  names(about: string): Kept<string, readonly NamedSkill[]>;
  /** Summaries by id; null for a skill that callers with these scopes may not see. */
  summaries(scopes: string): Kept<number, SkillSummary | null>;
}

/** Values by key. */
export interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/** About 30 MB when all are full. */
const MAX_LISTS = 16_000;
const MAX_NAMES = 1000;
const MAX_SUMMARIES = 8000;

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
    lists: createShelves(MAX_LISTS),
    names: createShelves(MAX_NAMES),
    summaries: createShelves(MAX_SUMMARIES),
  };
}

/** Shelves by label. All are emptied when they hold too much together. */
function createShelves<Key, Value>(most: number): (label: string) => Kept<Key, Value> {
  const shelves = new Map<string, Kept<Key, Value>>();
  let size = 0;
  const create = (label: string): Kept<Key, Value> => {
    const values = new Map<Key, Value>();
    const shelf: Kept<Key, Value> = {
      get: (key) => values.get(key),
      set(key, value) {
        if (size >= most) {
          shelves.clear();
          size = 0;
        }
        size += 1;
        values.set(key, value);
      },
    };
    shelves.set(label, shelf);
    return shelf;
  };
  return (label) => shelves.get(label) ?? create(label);
}
