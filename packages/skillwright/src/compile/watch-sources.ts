// Noticing that the files of skills change.

import { watch } from 'node:fs';
import { isIgnoredName } from '../files/walk-tree.ts';

/** Several events make one change: editors write in steps. */
const SETTLE_MS = 80;

/** Calls `changed` with a directory whenever something in it changed, until the signal; errors of watching go to `failed`. */
export async function watchSources(
  dirs: readonly string[],
  options: {
    signal: AbortSignal;
    changed: (dir: string) => void;
    failed: (dir: string, error: unknown) => void;
  },
): Promise<void> {
  const timers = new Map<string, NodeJS.Timeout>();
  const watchers = dirs.map((dir) => {
    const watcher = watch(dir, { recursive: true }, (_event, name) => {
      if (name?.split(/[\\/]/).some(isIgnoredName)) return;
      clearTimeout(timers.get(dir));
      timers.set(
        dir,
        setTimeout(() => options.changed(dir), SETTLE_MS),
      );
    });
    return watcher.on('error', (error) => options.failed(dir, error));
  });
  await new Promise<void>((resolve) => {
    if (options.signal.aborted) resolve();
    options.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  for (const watcher of watchers) watcher.close();
  for (const timer of timers.values()) clearTimeout(timer);
}
