// Notices accesses that other processes log. Directories of logs are watched; a slow check finds what watching misses. Nothing
// runs while nobody looks at the studio.

import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { logPath } from '../../../read/usage/index.ts';
import type { StudioState } from './studio-state.ts';

/** Logs that are watched; the rest waits for the slow check. */
const MAX_WATCHED = 256;
/** Writers often log several accesses at once. */
const SETTLE_MS = 60;
/** Time between slow checks, and at least this many times as long as one takes. */
const CHECK_MS = 2000;
const CHECK_SHARE = 50;
/** How long the logs are followed after the last request. */
const AWAKE_MS = 30_000;

/** Follows the logs. */
export interface LogFollower {
  /** Follows for a while; called with each request. */
  wake(): void;
  /** Follows until the returned function is called. */
  hold(): () => void;
  close(): void;
}

/** Starts asleep. */
export function followLogs(state: StudioState): LogFollower {
  const watchers = new Map<string, FSWatcher>();
  let holders = 0;
  let awakeUntil = 0;
  let check: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let isClosed = false;
  const isAwake = () => !isClosed && (holders > 0 || performance.now() < awakeUntil);

  const look = async (): Promise<void> => {
    soon = undefined;
    const { context } = await state.look();
    await state.usage.update(context.workspace);
  };
  const lookSoon = (): void => {
    soon ??= setTimeout(
      () => void look().catch(ignore),
      Math.max(SETTLE_MS, 5 * state.usage.lookedMs),
    ).unref();
  };
  const observe = (): void => {
    for (const runtime of state.usage.logs) {
      if (watchers.size >= MAX_WATCHED) return;
      const directory = dirname(logPath(runtime));
      if (watchers.has(directory)) continue;
      try {
        const watcher = watch(directory, { persistent: false }, (_, name) => {
          if (name === null || name.startsWith('logs.db')) lookSoon();
        });
        watcher.on('error', () => drop(directory));
        watchers.set(directory, watcher);
      } catch {
        // No watches are left, or the directory is gone: the slow check remains.
        return;
      }
    }
  };
  const drop = (directory: string): void => {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  };
  const sleep = (): void => {
    clearTimeout(check);
    check = undefined;
    for (const directory of [...watchers.keys()]) drop(directory);
  };
  const checkSlowly = async (): Promise<void> => {
    if (!isAwake()) {
      sleep();
      return;
    }
    await look().catch(ignore);
    if (isClosed) return;
    observe();
    const wait = Math.max(CHECK_MS, CHECK_SHARE * state.usage.lookedMs);
    check = setTimeout(() => void checkSlowly(), wait).unref();
  };
  const start = (): void => {
    if (check !== undefined || isClosed) return;
    check = setTimeout(() => void checkSlowly(), 0).unref();
  };
  return {
    wake() {
      awakeUntil = performance.now() + AWAKE_MS;
      start();
    },
    hold() {
      holders += 1;
      start();
      return () => {
        holders -= 1;
      };
    },
    close() {
      isClosed = true;
      clearTimeout(soon);
      sleep();
    },
  };
}

/** The next page reports a configuration that cannot be read. */
const ignore = () => {};
