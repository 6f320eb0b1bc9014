// The threads of an import.

import { Worker } from 'node:worker_threads';
import type { ImportedSkill, ImportSetup } from './import-work.ts';

/** Results that may wait to be stored; each holds its archive in memory. */
const MAX_WAITING = 100;
const MAX_SECONDS = 60;
const MAX_MEGABYTES = 256;

/** A directory and what became of it. */
export interface ImportResult {
  readonly directory: string;
  readonly result: ImportedSkill;
}

/** Hands directories to threads, one per setup, and yields results as they come. A skill that ends its thread has failed. */
export async function* startImportThreads(
  directories: readonly string[],
  setups: readonly ImportSetup[],
): AsyncGenerator<ImportResult> {
  const results: ImportResult[] = [];
  const threads = new Set<Worker>();
  const idle: (() => void)[] = [];
  let next = 0;
  let left = directories.length;
  let wake: (() => void) | undefined;

  const run = (setup: ImportSetup, given?: Worker): void => {
    if (next >= directories.length) return;
    if (results.length >= MAX_WAITING) {
      idle.push(() => run(setup, given));
      return;
    }
    const thread = given ?? start(setup, threads);
    const directory = directories[next++]!;
    const finish = (result: ImportedSkill, survivor?: Worker) => {
      clearTimeout(timer);
      // Not all listeners: Node has its own on a worker.
      thread.off('message', answered);
      thread.off('error', ended);
      left -= 1;
      results.push({ directory, result });
      if (survivor === undefined) {
        threads.delete(thread);
        void thread.terminate();
      }
      run(setup, survivor);
      wake?.();
    };
    const timer = setTimeout(
      () => finish({ kind: 'failed', reason: `checking it took longer than ${MAX_SECONDS} seconds` }),
      MAX_SECONDS * 1000,
    );
    const answered = (result: ImportedSkill) => finish(result, thread);
    const ended = ({ message }: Error) =>
      finish({ kind: 'failed', reason: `checking it failed: ${message}` });
    thread.on('message', answered);
    thread.on('error', ended);
    thread.postMessage(directory);
  };

  for (const setup of setups) run(setup);
  try {
    while (left > 0 || results.length > 0) {
      const result = results.shift();
      if (result !== undefined) {
        yield result;
        for (const resume of idle.splice(0)) resume();
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    await Promise.all([...threads].map((thread) => thread.terminate()));
  }
}

function start(setup: ImportSetup, threads: Set<Worker>): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const thread = new Worker(new URL(`./import-worker.${extension}`, import.meta.url), {
    workerData: setup,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    execArgv: [],
  });
  threads.add(thread);
  return thread;
}
