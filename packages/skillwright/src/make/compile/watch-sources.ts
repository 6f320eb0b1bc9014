// Watches the files of skills for changes.

import { watch } from 'node:fs';
import { isIgnoredName } from '../../base/files/index.ts';

/** Several events make one change: editors write in steps. */
const SETTLE_MS = 80;

/** Systems drop events under load, and some file systems have none: everything is checked again at this interval or longer. */
const RECHECK_MS = 2000;
const RECHECK_SHARE = 20;

/** Callbacks for events. */
export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Called once, when no further change can go unnoticed. */
  readonly started: () => void;
  /** Called when something in a directory changed, or, with `mayBe`, when it might have. */
  readonly changed: (dir: string, options: { mayBe: boolean }) => void | Promise<void>;
  readonly failed: (dir: string, error: unknown) => void;
}

/** Watches directories until the signal. */
export async function watchSources(dirs: readonly string[], options: WatchOptions): Promise<void> {
  const timers = new Map<string, NodeJS.Timeout>();
  const tell = (dir: string, how: { mayBe: boolean }): void =>
    void Promise.resolve(options.changed(dir, how)).catch((error) => options.failed(dir, error));
  const watchers = dirs.map((dir) => {
    const watcher = watch(dir, { recursive: true }, (_event, name) => {
      if (name?.split(/[\\/]/).some(isIgnoredName)) return;
      clearTimeout(timers.get(dir));
      timers.set(
        dir,
        setTimeout(() => tell(dir, { mayBe: false }), SETTLE_MS),
      );
    });
    return watcher.on('error', (error) => options.failed(dir, error));
  });
  options.started();
  let recheck: NodeJS.Timeout | undefined;
  const checkAll = (): void => {
    const before = performance.now();
    for (const dir of dirs) tell(dir, { mayBe: true });
    const pause = Math.max(RECHECK_MS, RECHECK_SHARE * (performance.now() - before));
    recheck = setTimeout(checkAll, pause);
  };
  // Changes made before the watch began count too.
  checkAll();
  await new Promise<void>((resolve) => {
    if (options.signal.aborted) resolve();
    options.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  for (const watcher of watchers) watcher.close();
  for (const timer of [recheck, ...timers.values()]) clearTimeout(timer);
}
