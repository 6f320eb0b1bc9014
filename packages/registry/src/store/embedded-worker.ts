// The thread of an embedded database: a statement never holds up the requests of others, and can be stopped.

import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DurableFiles, durableParameters, embeddedValues } from './durable-files.ts';
import { engineOver } from './embedded-database.ts';

/** A message to the thread. */
export type Order =
  | { readonly does: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly does: 'run'; readonly sql: string }
  | { readonly does: 'close' };

/** A message from the thread: the first says whether the database is open, each later one answers an order. */
export type Answer =
  | { readonly rows: unknown[] }
  | {
      readonly error: { readonly message: string; readonly code?: string; readonly detail?: string };
      /** The engine itself broke and cannot go on. */
      readonly isFatal: boolean;
    };

const port = parentPort!;

async function answerWith(work: () => Promise<unknown[] | undefined>): Promise<void> {
  try {
    port.postMessage({ rows: (await work()) ?? [] } satisfies Answer);
  } catch (failure) {
    const { message, code, detail } = failure as { message?: string; code?: string; detail?: string };
    port.postMessage({
      error: {
        message: describeFailure(failure, message),
        ...(code === undefined ? {} : { code }),
        ...(detail === undefined ? {} : { detail }),
      },
      isFatal: ['RuntimeError', 'ExitStatus', 'ErrnoError'].includes((failure as Error).name),
    } satisfies Answer);
  }
}

/** Numbers of the engine's file system, which has no texts for them. */
const fileErrors: Readonly<Record<number, string>> = {
  2: 'permission denied',
  44: 'a file is missing',
  51: 'no space left on the disk',
  54: 'not a directory',
  63: 'permission denied',
  69: 'the file system is read-only',
};

function describeFailure(failure: unknown, message: string | undefined): string {
  const { errno } = failure as { errno?: number };
  if (errno !== undefined) return fileErrors[errno] ?? `error ${errno} of the file system`;
  return message ?? String(failure);
}

const { directory } = workerData as { directory: string };
const opening = PGlite.create({
  fs: new DurableFiles(directory),
  startParams: [...durableParameters],
  ...embeddedValues,
}).then(engineOver);

await answerWith(async () => {
  await opening;
  return [];
});
port.on('message', (order: Order) => {
  void answerWith(async () => {
    const engine = await opening;
    if (order.does === 'query') return engine.query(order.sql, order.parameters, 0);
    if (order.does === 'run') await engine.run(order.sql, 0);
    else await engine.close();
    return [];
  });
});
