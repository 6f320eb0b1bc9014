// Fetched sources of one command: each is fetched once, and all are released at the end.

import type { FetchedSource } from './fetched-source.ts';

/** Sources by a key. */
export interface SourceCache {
  /** The source of a key, fetched when it is asked for the first time. */
  get(key: unknown, fetch: () => Promise<FetchedSource>): Promise<FetchedSource>;
  /** Removes what was fetched, and what is still on its way. */
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
      // A failure is told to whoever awaits it, if anybody does.
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
