// What hooks leave behind within one session: which have had their one run, and which still run in the background.

/** The memory of one session. */
export interface HookMemory {
  /** True the first time a key is claimed. */
  claim(key: string): boolean;
  /** A hook that was to run once and did not get to run may do so another time. */
  release(key: string): void;
  /** Keeps an eye on something that nobody waits for. False when too much of the kind goes on already: it is not begun. */
  watch(work: (signal: AbortSignal) => Promise<unknown>): boolean;
  /** Ends what still runs. Settles when nothing of it is left; what is watched afterwards ends at once. */
  end(): Promise<void>;
}

/** So many at most run in the background at a time. */
const MAX_WATCHED = 32;

/** An empty memory. */
export function createHookMemory(): HookMemory {
  const claimed = new Set<string>();
  const working = new Set<Promise<unknown>>();
  const controller = new AbortController();
  return {
    claim(key) {
      if (claimed.has(key)) return false;
      claimed.add(key);
      return true;
    },
    release: (key) => void claimed.delete(key),
    watch(work) {
      if (working.size >= MAX_WATCHED) return false;
      // What goes wrong in the background goes wrong silently: nobody waits for it.
      const running = work(controller.signal).catch(() => {});
      working.add(running);
      void running.finally(() => working.delete(running));
      return true;
    },
    async end() {
      controller.abort();
      await Promise.all(working);
    },
  };
}
