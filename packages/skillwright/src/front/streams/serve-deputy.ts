// The loop of a deputy: orders in, reports out, until the server exits.

import { createInterface } from 'node:readline';
import { type Code, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { ServerStreams } from './claim-standard-streams.ts';

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

function sentFailure(error: unknown): Failure {
  if (error instanceof SkillwrightError) {
    const { code, message, help, detail, data } = error;
    return { kind: 'coded', code, message, help, detail, data };
  }
  const message = error instanceof Error ? error.message : String(error);
  const number: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof number === 'number' ? { kind: 'numbered', number, message } : { kind: 'bug', message };
}

/** From the server: work to start or cancel. */
export type Order =
  | { readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly cancel: number };

/** A failure in its serialised form. */
export type Failure =
  | {
      readonly kind: 'coded';
      readonly code: Code;
      readonly message: string;
      readonly help?: string | undefined;
      readonly detail?: string | undefined;
      readonly data?: Readonly<Record<string, unknown>> | undefined;
    }
  /** Number of the error in the server's protocol. */
  | { readonly kind: 'numbered'; readonly number: number; readonly message: string }
  | { readonly kind: 'bug'; readonly message: string };

/** From a deputy: a result, a message during the work, or an event. */
export type Report =
  | { readonly id: number; readonly said: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly event: string };

/** Event: the deputy is ready to work. */
export const READY = 'ready';
