// An embedded database in a thread of its own, which is replaced when a statement takes too long or the thread fails.

import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable } from './database.ts';
import type { Engine } from './embedded-database.ts';
import type { Answer, Order } from './embedded-worker.ts';

/** PostgreSQL's own report of a statement. */
class StatementError extends Error {
  readonly code: string | undefined;
  readonly detail: string | undefined;

  constructor({ message, code, detail }: Extract<Answer, { error: unknown }>['error']) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

const program = new URL(
  import.meta.url.endsWith('.ts') ? './embedded-worker.ts' : './embedded-worker.js',
  import.meta.url,
);

/** Milliseconds to write everything down at the end. */
const CLOSE_LIMIT = 60_000;

/** Starts the thread on a directory; fails when the database does not open. */
export async function startThreadedEngine(directory: string): Promise<Engine> {
  let thread: Promise<Thread> | undefined = startThread(directory);
  await thread;

  /** The thread, or a new one after the last has failed. */
  const current = async (): Promise<Thread> => {
    thread ??= startThread(directory);
    try {
      return await thread;
    } catch (error) {
      thread = undefined;
      throw new DatabaseUnavailable('the embedded database does not open', { cause: error });
    }
  };
  const send = async (order: Order, limit: number): Promise<unknown[]> => {
    const running = await current();
    try {
      return await running.send(order, limit);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) thread = undefined;
      throw error;
    }
  };
  return {
    query: (sql, parameters, limit) => send({ does: 'query', sql, parameters }, limit),
    run: async (sql, limit) => {
      await send({ does: 'run', sql }, limit);
    },
    close: async () => {
      await send({ does: 'close' }, CLOSE_LIMIT);
      await (await thread)?.end();
      thread = undefined;
    },
  };
}

interface Thread {
  send(order: Order, limit: number): Promise<unknown[]>;
  end(): Promise<void>;
}

async function startThread(directory: string): Promise<Thread> {
  const worker = new Worker(program, { workerData: { directory }, execArgv: [] });
  let waiting: { resolve(rows: unknown[]): void; reject(error: Error): void } | undefined;
  let ended: DatabaseUnavailable | undefined;
  const fail = (error: DatabaseUnavailable) => {
    ended ??= error;
    waiting?.reject(error);
    waiting = undefined;
  };
  worker.on('message', (answer: Answer) => {
    if ('rows' in answer) waiting?.resolve(answer.rows);
    else if (answer.isFatal)
      fail(
        new DatabaseUnavailable('the embedded database failed', { cause: new Error(answer.error.message) }),
      );
    else waiting?.reject(new StatementError(answer.error));
    waiting = undefined;
  });
  worker.on('error', (cause) => fail(new DatabaseUnavailable('the embedded database failed', { cause })));
  worker.on('exit', () => fail(new DatabaseUnavailable('the embedded database stopped')));
  const next = () =>
    new Promise<unknown[]>((resolve, reject) => {
      if (ended === undefined) waiting = { resolve, reject };
      else reject(ended);
    });

  try {
    await next();
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    async send(order, limit) {
      if (ended === undefined) worker.postMessage(order);
      const answer = next();
      const timer =
        limit === 0
          ? undefined
          : setTimeout(() => {
              fail(new DatabaseUnavailable('the statement took too long', { code: '57014' }));
            }, limit);
      try {
        return await answer;
      } catch (error) {
        // The old thread has to be gone before another one opens the same files.
        if (ended !== undefined) await worker.terminate();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    async end() {
      await worker.terminate();
    },
  };
}
