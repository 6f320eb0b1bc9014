// Hook state of one session: once hooks that have run, and hooks in the background.

/** Hook state of one session. */
export type HookMemory = ReturnType<typeof createHookMemory>;

/** Limit of background tasks. */
const MAX_WATCHED = 32;

/** Empty state. */
export function createHookMemory() {
  const claimed = new Set<string>();
  const working = new Set<Promise<unknown>>();
  const controller = new AbortController();
  return {
    /** True the first time a key is claimed. */
    claim(key: string): boolean {
      if (claimed.has(key)) return false;
      claimed.add(key);
      return true;
    },
    /** Lets a once hook that could not run try again. */
    release: (key: string) => void claimed.delete(key),
    /** Starts a background task. False, and not started, when too many are running. */
    watch(work: (signal: AbortSignal) => Promise<unknown>): boolean {
      if (working.size >= MAX_WATCHED) return false;
      // Nothing waits for a background task, so its failure is ignored.
      const running = work(controller.signal).catch(() => {});
      working.add(running);
      void running.finally(() => working.delete(running));
      return true;
    },
    /** Ends all background tasks. Settles when they are gone; later tasks end at once. */
    async end(): Promise<void> {
      controller.abort();
      await Promise.all(working);
    },
  };
}
