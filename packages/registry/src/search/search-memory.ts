// Rows that searches have read, kept in this process while the database does not change.

import type { SkillSummary } from 'skillwright/registry-protocol';
import type { Registry } from '../registry.ts';
import { createPackedStore, type PackedStore } from './packed-store.ts';
import { type Posting, packPosting, readPosting } from './posting.ts';

/** A skill found by its name. */
export type NamedSkill = readonly [id: number, name: string];

/** Results of one state of the database. */
export interface SearchMemory {
  /** The best skills of terms. `about` names scopes and filters: callers with other rights get other lists. */
  readonly postings: Memory<number, Posting>;
  /** Skills by the beginning of their name. */
  readonly names: Memory<string, readonly NamedSkill[]>;
  /** Summaries by id; null for a skill that callers with these scopes may not see. `about` names the scopes alone. */
  readonly summaries: Memory<number, SkillSummary | null>;
}

/** Values by key. */
export interface Memory<Key, Value> {
  get(about: string, key: Key): Value | undefined;
  set(about: string, key: Key, value: Value): void;
}

/** Enough for all summaries of 30,000 skills and some hundred thousand words. */
const MEGABYTE = 2 ** 20;
const SIZES = { postings: 8 * MEGABYTE, names: 2 * MEGABYTE, summaries: 28 * MEGABYTE };

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
    postings: remember(createPackedStore(SIZES.postings), { pack: packPosting, read: readPosting }),
    names: rememberText(SIZES.names),
    summaries: rememberText(SIZES.summaries),
  };
}

function rememberText<Key extends number | string, Value>(maxBytes: number): Memory<Key, Value> {
  return remember(createPackedStore<Key>(maxBytes), {
    pack: (value: Value) => Buffer.from(JSON.stringify(value)),
    read: ({ buffer, byteOffset, length }) =>
      JSON.parse(Buffer.from(buffer, byteOffset, length).toString()) as Value,
  });
}

function remember<Key extends number | string, Value>(
  store: PackedStore<Key>,
  {
    pack,
    read,
  }: { readonly pack: (value: Value) => Uint8Array; readonly read: (bytes: Uint8Array) => Value },
): Memory<Key, Value> {
  return {
    get(about, key) {
      const bytes = store.get(about, key);
      return bytes === undefined ? undefined : read(bytes);
    },
    set: (about, key, value) => store.set(about, key, pack(value)),
  };
}
