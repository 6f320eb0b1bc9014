// An operation that cannot go on, as the protocol reports it.

import { type RegistryErrorCode, type RegistryFailure, registryErrors } from 'skillwright/registry-protocol';

/** Thrown by operations; the server turns it into a response. Anything else thrown is a bug. */
export class Failure extends Error {
  readonly code: RegistryErrorCode;
  readonly details: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: RegistryErrorCode,
    message: string,
    {
      details = [],
      headers = {},
    }: { readonly details?: readonly string[]; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return registryErrors[this.code];
  }

  toJSON(): RegistryFailure {
    const { code, message, details } = this;
    return { error: { code, message, ...(details.length === 0 ? {} : { details: [...details] }) } };
  }
}

/** The message says what is wrong and how to go on. */
export class Problem extends Error {}
