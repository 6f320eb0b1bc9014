// The loop of a deputy: orders in, reports out, until the server exits.

import { createInterface } from 'node:readline';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { ServerStreams } from './claim-standard-streams.ts';
import { type Failure, type Order, READY, type Report } from './deputy-messages.ts';

/** Work a deputy can do. */
export type Duties = Readonly<Record<string, (params: never, work: Work) => Promise<unknown>>>;

/** Context of one order. */
export interface Work {
  /** Aborted when nobody waits for the result. */
  readonly signal: AbortSignal;
  /** Sends a message to the server during the work. */
  say(said: unknown): void;
}

/** Works until the input ends or the signal arrives. `tell` of `prepare` sends events to the server. */
export async function serveDeputy(
  { input, output }: ServerStreams,
  { signal, prepare }: { signal: AbortSignal; prepare: (tell: (event: string) => void) => Promise<Duties> },
): Promise<void> {
  const send = (report: Report) => void output.write(`${JSON.stringify(report)}\n`);
  const duties = await prepare((event) => send({ event }));
  const working = new Map<number, AbortController>();
  const lines = createInterface({ input });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  lines.on('line', (line) => {
    const order = JSON.parse(line) as Order;
    if ('cancel' in order) {
      working.get(order.cancel)?.abort();
      return;
    }
    const { id, method, params } = order;
    const controller = new AbortController();
    working.set(id, controller);
    const work: Work = {
      signal: AbortSignal.any([signal, controller.signal]),
      say: (said) => send({ id, said }),
    };
    void duties[method]!(params as never, work)
      .then(
        (result) => send({ id, result: result ?? null }),
        (error: unknown) => send({ id, failure: failureOf(error) }),
      )
      .finally(() => working.delete(id));
  });
  send({ event: READY });
  await new Promise<void>((resolve) => {
    lines.once('close', resolve);
    output.once('error', () => resolve());
    if (signal.aborted) resolve();
  });
  // The server has exited.
  for (const controller of working.values()) controller.abort();
}

function failureOf(error: unknown): Failure {
  if (error instanceof SkillwrightError) {
    const { code, message, help, detail, data } = error;
    return { kind: 'coded', code, message, help, detail, data };
  }
  const message = error instanceof Error ? error.message : String(error);
  const number: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof number === 'number' ? { kind: 'numbered', number, message } : { kind: 'bug', message };
}
