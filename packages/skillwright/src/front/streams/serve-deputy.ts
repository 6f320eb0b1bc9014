// The loop of a deputy: orders in, reports out, until the server exits.

import { createInterface } from 'node:readline';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { claimStandardStreams } from './claim-standard-streams.ts';

/** Context of one order. */
export interface Work {
  /** Aborted when nobody waits for the result. */
  readonly signal: AbortSignal;
  /** Sends a message to the server during the work. */
  say(said: unknown): void;
}

/** Work a deputy can do. */
type Duties = Readonly<Record<string, (params: never, work: Work) => Promise<unknown>>>;

/** Works until the input ends or the signal arrives. `tell` of `prepare` sends events to the server. */
export async function serveDeputy(
  signal: AbortSignal,
  prepare: (tell: (event: string) => void) => Promise<Duties>,
): Promise<void> {
  const { input, output } = claimStandardStreams();
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
        (error: unknown) => send({ id, failure: sentFailure(error) }),
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

/** From the server: work to start or cancel. */
export type Order =
  | { readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly cancel: number };

/** From a deputy: a result, a message during the work, or an event. */
export type Report =
  | { readonly id: number; readonly said: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly event: string };

/** Event: the deputy is ready to work. */
export const READY = 'ready';

/** A failure in its serialised form: a coded error, or one with the number of the server's protocol. */
type Failure =
  | { readonly own: Parameters<typeof SkillwrightError.received>[0] }
  | { readonly message: string; readonly code: unknown };

function sentFailure(error: unknown): Failure {
  if (error instanceof SkillwrightError) {
    const { code, message, help, detail, data } = error;
    return { own: { code, message, help, detail, data } };
  }
  if (!(error instanceof Error)) return { message: String(error), code: undefined };
  return { message: error.message, code: 'code' in error ? error.code : undefined };
}

/** The error, in the process that asked. */
export function receivedFailure(failure: Failure): Error {
  if ('own' in failure) return SkillwrightError.received(failure.own);
  const { message, code } = failure;
  return Object.assign(new Error(message), typeof code === 'number' ? { code } : {});
}
