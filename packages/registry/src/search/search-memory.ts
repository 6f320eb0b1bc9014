// Rows that searches have read, kept in this process until they change.

import type { SkillSummary } from 'skillwright/registry-protocol';
import type { Queryable, Store } from '../store/index.ts';
import {
  createPackedStore,
  type PackedStore,
  type Posting,
  packPosting,
  readPosting,
} from './packed-store.ts';
import type { KeptFacets } from './read-facets.ts';
import { readChanges, type SearchChange } from './search-changes.ts';
import { hasFilters, type KeptCounts } from './word-statistics.ts';

/** A skill found by its name. */
export type IdAndName = readonly [id: number, name: string];

/** Rows that have not changed. */
export interface SearchMemory {
  /** The best skills of terms. `about` names scopes and filters: callers with other rights get other lists. */
  readonly postings: Memory<number, Posting>;
  /** Skills by the beginning of their name. */
  readonly names: Memory<string, readonly IdAndName[]>;
  /** Summaries by id; null for a skill that callers with these scopes may not see. `about` names the scopes alone. */
  readonly summaries: Memory<number, SkillSummary | null>;
}

/** Values by key. */
export interface Memory<Key, Value> {
  get(about: string, key: Key): Value | undefined;
  set(about: string, key: Key, value: Value): void;
}

/** Shares of the memory. The default holds the summaries of 30,000 skills and some hundred thousand words. */
const SHARES = { postings: 0.2, names: 0.05, summaries: 0.75 };
/** Bytes of a remembered count. */
const COUNT_BYTES = 200;

/** Everything that searches of a registry remember. */
export interface SearchState {
  readonly rows: RememberedRows;
  /** How frequent words are, by scopes. */
  readonly counts: Map<string, KeptCounts>;
  /** Values of filters, by what a caller may see. */
  readonly facets: Map<string, KeptFacets>;
  /** Counts kept for all callers together. */
  readonly maxCounts: number;
}

/** A registry, as far as it is searched. */
export type Searched = Store & { readonly search: SearchState };

/** The content of the stores was true in the snapshot, or later. */
interface RememberedRows {
  snapshot: string | undefined;
  readonly maxBytes: number;
  stores: Stores;
  view: SearchMemory;
  running: Promise<void> | undefined;
  next: Promise<void> | undefined;
}

type Stores = ReturnType<typeof createStores>;

/** The memory without the rows that changed before this call, in whatever process. */
export async function recallSearches({ database, search: { rows } }: Searched): Promise<SearchMemory> {
  await learnChanges(database, rows);
  return rows.view;
}

/** Searches that begin while a question is under way share the next one: an answer is never older than its search. */
function learnChanges(database: Queryable, state: RememberedRows): Promise<void> {
  if (state.next !== undefined) return state.next;
  if (state.running !== undefined) {
    const after = () => {
      state.next = undefined;
      return startReading(database, state);
    };
    state.next = state.running.then(after, after);
    return state.next;
  }
  return startReading(database, state);
}

function startReading(database: Queryable, state: RememberedRows): Promise<void> {
  const running = readChanges(database, state.snapshot)
    .then(({ snapshot, changes }) => {
      state.snapshot = snapshot;
      if (changes === undefined) state.stores = createStores(state.maxBytes);
      else if (changes.length > 0) forgetChanged(state.stores, changes);
      else return;
      state.view = memoryOf(state);
    })
    .finally(() => {
      if (state.running === running) state.running = undefined;
    });
  state.running = running;
  return running;
}

function forgetChanged({ postings, names, summaries }: Stores, changes: readonly SearchChange[]): void {
  summaries.forget(new Set(changes.flatMap(({ skills }) => skills)));
  postings.forget(new Set(changes.flatMap(({ terms }) => terms)));
  names.forget(new Set(changes.flatMap((change) => change.names.flatMap(beginningsOf))));
  if (!changes.some(({ isFilter }) => isFilter)) return;
  postings.forgetLabels(hasFilters);
  names.forgetLabels(hasFilters);
}

const beginningsOf = (name: string) => Array.from(name, (_, at) => name.slice(0, at + 1));

/** A state that remembers nothing yet, and at most this many bytes. */
export function createSearchState(maxBytes: number): SearchState {
  const rows = {
    maxBytes,
    stores: createStores(maxBytes),
    snapshot: undefined,
    running: undefined,
    next: undefined,
  };
  return {
    rows: Object.assign(rows, { view: memoryOf(rows) }),
    counts: new Map(),
    facets: new Map(),
    maxCounts: Math.ceil(maxBytes / COUNT_BYTES),
  };
}

function createStores(maxBytes: number) {
  return {
    postings: createPackedStore<number>(maxBytes * SHARES.postings),
    names: createPackedStore<string>(maxBytes * SHARES.names),
    summaries: createPackedStore<number>(maxBytes * SHARES.summaries),
  };
}

/**
 * The stores until the next change. A search that is still under way then may have read its rows before the change: it goes on,
 * but what it read is not kept.
 */
function memoryOf(state: { readonly stores: Stores; readonly view?: SearchMemory }): SearchMemory {
  const { postings, names, summaries } = state.stores;
  const isCurrent = () => state.view === view;
  const view: SearchMemory = {
    postings: remember(postings, { pack: packPosting, read: readPosting, isCurrent }),
    names: remember(names, { ...asText<readonly IdAndName[]>(), isCurrent }),
    summaries: remember(summaries, { ...asText<SkillSummary | null>(), isCurrent }),
  };
  return view;
}

function asText<Value>(): Packing<Value> {
  return {
    pack: (value) => Buffer.from(JSON.stringify(value)),
    read: ({ buffer, byteOffset, length }) =>
      JSON.parse(Buffer.from(buffer, byteOffset, length).toString()) as Value,
  };
}

interface Packing<Value> {
  pack(value: Value): Uint8Array;
  read(bytes: Uint8Array): Value;
}

function remember<Key extends number | string, Value>(
  store: PackedStore<Key>,
  { pack, read, isCurrent }: Packing<Value> & { isCurrent(): boolean },
): Memory<Key, Value> {
  return {
    get(about, key) {
      const bytes = store.get(about, key);
      return bytes === undefined ? undefined : read(bytes);
    },
    set(about, key, value) {
      if (isCurrent()) store.set(about, key, pack(value));
    },
  };
}
