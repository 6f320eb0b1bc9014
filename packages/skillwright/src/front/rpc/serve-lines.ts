// Serves one client: lines in, lines out, until it disconnects or the process is told to stop.

import type { ServerStreams } from '../streams/index.ts';
import { refuseLine } from './answer-message.ts';
import type { Answerer } from './deputy-answerer.ts';
import { readLines, TOO_LONG } from './read-lines.ts';

const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Most lines processed at once; the next is read when one is answered. */
const MAX_AT_ONCE = 64;

/** Time for pending answers after the signal to stop. */
const GRACE_MS = 1000;

/** Serves until the input ends, the output is closed or the signal arrives. Never throws. */
export async function serveLines(
  open: (send: (line: string) => void) => Promise<Answerer>,
  { input, output, signal }: ServerStreams & { readonly signal: AbortSignal },
): Promise<void> {
  const working = new Set<Promise<void>>();
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = () => {
    input.destroy();
    resolve();
  };
  output.on('error', stop);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();

  const send = (text: string | undefined) =>
    new Promise<void>((done) => {
      // A failed write is also an error of the stream, which ends the loop.
      if (text === undefined || output.destroyed) done();
      else output.write(`${text}\n`, () => done());
    });
  const answerer = await open((line) => void send(line));
  const answer = async (line: Uint8Array | typeof TOO_LONG): Promise<void> =>
    send(line === TOO_LONG ? refuseLine(MAX_LINE_BYTES) : await answerer.answer(line));

  try {
    for await (const line of readLines(input, MAX_LINE_BYTES)) {
      if (signal.aborted || output.destroyed) break;
      const work = answer(line).finally(() => working.delete(work));
      working.add(work);
      // Nobody may read the answers any more: then the signal ends the wait.
      if (working.size >= MAX_AT_ONCE) await Promise.race([...working, stopped]);
    }
  } catch {
    // The client or `stop` closed the input: there is nothing more to read.
  }
  await Promise.race([Promise.allSettled(working), graceAfter(signal)]);
  await answerer.close();
}

/** Resolves a while after the signal. */
function graceAfter(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wait = () => void setTimeout(resolve, GRACE_MS);
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}
