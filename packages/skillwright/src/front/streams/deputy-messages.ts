// Messages between a server and its child processes: JSON, one per line.

import type { Code } from '../../base/diagnostics/index.ts';

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
