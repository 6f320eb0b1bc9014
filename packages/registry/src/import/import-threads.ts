// The threads of an import.

import { Worker } from 'node:worker_threads';
import type { ImportOutcome, ImportSetup } from './import-work.ts';

/** Results that may wait to be stored; each holds its archive in memory. */
const MAX_WAITING = 100;
/** Directories queued for each thread, so that it never waits while results are stored. */
const AHEAD = 4;
const MAX_SECONDS = 60;
const TOO_SLOW = `checking it took longer than ${MAX_SECONDS} seconds`;
const MAX_MEGABYTES = 256;

/** A directory and what became of it. */
interface ImportResult {
  readonly directory: string;
  readonly result: ImportOutcome;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const ownProgram = new URL(`./import-worker.${extension}`, import.meta.url);

/**
 * Hands directories to threads, one per setup, and yields results as they come. A skill that ends its thread has failed.
 * `program` answers each directory with an `ImportOutcome`, in order.
 */
export async function* startImportThreads(
  directories: readonly string[],
  setups: readonly ImportSetup[],
  { program = ownProgram }: { readonly program?: URL } = {},
): AsyncGenerator<ImportResult> {
  const results: ImportResult[] = [];
  const threads = new Set<Worker>();
  const idle = new Set<() => void>();
  const pending = [...directories].reverse();
  /** Directories that a thread was given when it died. Each is checked alone, to find the one at fault. */
  const suspects = new Set<string>();
  let left = directories.length;
  let wake: (() => void) | undefined;
  let isEnded = false;

  const mayTake = (handed: readonly string[]): boolean => {
    if (handed.length === 0) return true;
    const isSuspect = suspects.has(handed[0]!) || suspects.has(pending.at(-1) ?? '');
    return handed.length < AHEAD && !isSuspect;
  };

  const run = (setup: ImportSetup): void => {
    if (pending.length === 0) return;
    const thread = start(program, setup);
    threads.add(thread);
    /** Directories handed to the thread, which answers in order. */
    const handed: string[] = [];
    let timer: NodeJS.Timeout | undefined;
    const finish = (result: ImportOutcome): void => {
      const directory = handed.shift();
      if (directory === undefined) return;
      left -= 1;
      results.push({ directory, result });
      wake?.();
    };
    const feed = (): void => {
      clearTimeout(timer);
      while (mayTake(handed) && results.length < MAX_WAITING && pending.length > 0) {
        const directory = pending.pop()!;
        handed.push(directory);
        thread.postMessage(directory);
      }
      if (handed.length > 0) timer = setTimeout(() => abandon(TOO_SLOW, true), MAX_SECONDS * 1000).unref();
      else idle.add(feed);
    };
    /** Ends the thread. Another one gets the directories it was handed, without the first if that is known to be at fault. */
    const abandon = (reason: string, isFirst: boolean): void => {
      clearTimeout(timer);
      if (isEnded) return;
      idle.delete(feed);
      thread.off('message', answered);
      thread.off('error', ended);
      threads.delete(thread);
      void thread.terminate();
      if (isFirst) finish({ kind: 'failed', reason });
      else for (const directory of handed) suspects.add(directory);
      pending.push(...handed.splice(0).reverse());
      run(setup);
    };
    const answered = (result: ImportOutcome): void => {
      finish(result);
      feed();
    };
    // The answers to the first ones may have died with the thread.
    const ended = ({ message }: Error): void =>
      abandon(`checking it failed: ${message}`, handed.length === 1);
    thread.on('message', answered);
    thread.on('error', ended);
    feed();
  };

  for (const setup of setups) run(setup);
  try {
    while (left > 0 || results.length > 0) {
      const result = results.shift();
      if (result !== undefined) {
        yield result;
        for (const feed of [...idle]) {
          idle.delete(feed);
          feed();
        }
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    isEnded = true;
    await Promise.all([...threads].map((thread) => thread.terminate()));
  }
}

function start(program: URL, setup: ImportSetup): Worker {
  return new Worker(program, {
    workerData: setup,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    execArgv: [],
  });
}
