// What a server and the processes that work for it say to each other: JSON, one message a line.

import type { Code } from '../../base/diagnostics/index.ts';

/** From the server: work to do, or to give up. */
export type Order =
  | { readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly cancel: number };

/** A failure that survives the way through a pipe. */
export type Failure =
  | {
      readonly kind: 'coded';
      readonly code: Code;
      readonly message: string;
      readonly help?: string | undefined;
      readonly detail?: string | undefined;
      readonly data?: Readonly<Record<string, unknown>> | undefined;
    }
  /** Of the protocol that the server speaks: with a number. */
  | { readonly kind: 'numbered'; readonly number: number; readonly message: string }
  | { readonly kind: 'bug'; readonly message: string };

/** From a deputy: the end of some work, something said while it goes on, or something that has happened. */
export type Report =
  | { readonly id: number; readonly said: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly event: string };

/** The event that a deputy can work. */
export const READY = 'ready';
