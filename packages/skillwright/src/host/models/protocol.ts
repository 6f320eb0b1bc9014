// The interface of the protocols of endpoints.

import type { ModelAnswer, ModelRequest } from './model.ts';

/** Settings of a request. */
export interface ProtocolSettings {
  readonly model: string;
  readonly maxTokens: number;
  readonly temperature: number | undefined;
  /** Uses the newer name of the limit. */
  readonly isNewLimit?: boolean;
}

/** How requests and answers are written. */
export interface Protocol {
  /** Base address when none is configured. */
  readonly defaultUrl: string;
  /** The address that is asked, from a base address without a slash at its end. */
  path(url: string): string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  body(request: ModelRequest, settings: ProtocolSettings): object;
  /** Throws a ZodError for another shape. */
  read(value: unknown): ModelAnswer;
  /** Other settings after a refusal that they avoid. */
  amend(refusal: string, settings: ProtocolSettings): ProtocolSettings | undefined;
}
