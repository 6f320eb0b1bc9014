// The threads of an import, and what they hand over.

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Inspection } from '../skills/index.ts';

/** Given to each thread at its start. */
export interface ImportSetup {
  /** Versions that exist, as `name@version`. */
  readonly taken: ReadonlySet<string>;
  readonly maxArchiveBytes: number;
  readonly maxFiles: number;
  readonly maxUnpackedBytes: number;
  /** A directory for the thread's own files. */
  readonly workDirectory: string;
}

/** A skill on disk: packed and inspected, left out because it exists, or not fit for an archive. */
export type ImportOutcome =
  | {
      readonly kind: 'inspected';
      readonly name: string;
      readonly version: string;
      readonly archive: Uint8Array;
      readonly digest: string;
      readonly inspection: Inspection;
    }
  | { readonly kind: 'exists' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Results that may wait to be stored; each holds its archive in memory. */
const MAX_WAITING = 100;
const MAX_SECONDS = 60;
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
 * `program` answers each directory with an `ImportOutcome`.
 */
export async function* startImportThreads(
  directories: readonly string[],
  setups: readonly ImportSetup[],
  { program = ownProgram }: { readonly program?: URL } = {},
): AsyncGenerator<ImportResult> {
  const pending = [...directories].reverse();
  const stop = new AbortController();
  // The threads go on while results are stored.
  const results = new PassThrough({ objectMode: true, highWaterMark: MAX_WAITING });
  const threads = setups.map(async (setup) => {
    for await (const result of checkInThread(pending, { program, setup, stop: stop.signal }))
      if (!stop.signal.aborted && !results.write(result))
        await once(results, 'drain', { signal: stop.signal }).catch(() => {});
  });
  const ended = Promise.all(threads).then(
    () => results.end(),
    (error: Error) => results.destroy(error),
  );
  try {
    yield* results as AsyncIterable<ImportResult>;
  } finally {
    pending.length = 0;
    stop.abort();
    await ended;
  }
}

/** Takes one directory after the other. The one under way when a thread dies is at fault, and another thread goes on. */
async function* checkInThread(
  pending: string[],
  {
    program,
    setup,
    stop,
  }: { readonly program: URL; readonly setup: ImportSetup; readonly stop: AbortSignal },
): AsyncGenerator<ImportResult> {
  let thread: Worker | undefined;
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    thread ??= start(program, setup);
    const late = AbortSignal.timeout(MAX_SECONDS * 1000);
    thread.postMessage(directory);
    try {
      const [result] = (await once(thread, 'message', { signal: AbortSignal.any([stop, late]) })) as [
        ImportOutcome,
      ];
      yield { directory, result };
    } catch (error) {
      await thread.terminate();
      thread = undefined;
      const reason = late.aborted
        ? `checking it took longer than ${MAX_SECONDS} seconds`
        : `checking it failed: ${(error as Error).message}`;
      yield { directory, result: { kind: 'failed', reason } };
    }
  }
  await thread?.terminate();
}

function start(program: URL, setup: ImportSetup): Worker {
  return new Worker(program, {
    workerData: setup,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    execArgv: [],
  });
}
