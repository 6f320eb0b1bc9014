// Fetched sources of one command: each is fetched once, and all are released at the end.

import type { FetchedSource } from './fetched-source.ts';

/** Sources by a key. */
export interface SourceCache {
  /** The source of a key, fetched on first use. */
  get(key: unknown, fetch: () => Promise<FetchedSource>): Promise<FetchedSource>;
  /** Removes fetched sources, including those still being fetched. */
  release(): void;
}

/** Makes an empty cache. */
export function createSourceCache(): SourceCache {
  const open = new Map<string, Promise<FetchedSource>>();
  return {
    get(key, fetch) {
      const word = JSON.stringify(key);
      const known = open.get(word);
      if (known !== undefined) return known;
      const fetching = fetch();
      // The awaiting caller, if any, handles the failure.
      fetching.catch(() => {});
      open.set(word, fetching);
      return fetching;
    },
    release() {
      for (const fetching of open.values())
        fetching.then(
          (fetched) => fetched.release(),
          () => {},
        );
    },
  };
}
