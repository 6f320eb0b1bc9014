// What a guarded fetch takes and gives. Everything that leaves this machine over HTTP goes through a Fetcher.

import type * as z from 'zod';

/** What every request of a fetcher keeps to. Times are in milliseconds. */
export interface FetcherSettings {
  /**
   * Private hosts, addresses and networks that requests may go to; `true` for loopback and private networks. Comes from
   * the user's own configuration alone, and opens neither link-local addresses nor metadata services.
   */
  readonly allowPrivate?: boolean | readonly string[];
  /** Follows a redirect from https to http. */
  readonly allowDowngrade?: boolean;
  /** How long a whole request may take, a download excepted; also how long nothing at all may arrive. */
  readonly timeout?: number;
  /** How long a whole download may take. */
  readonly downloadTimeout?: number;
  /** Bytes an answer may have, counted after decoding. */
  readonly maxBytes?: number;
  /** Certificates to trust besides those of the system, in PEM. */
  readonly ca?: string;
  /** How often a request is made again when the server asks to wait. */
  readonly retries?: number;
  /** How long a request may wait for that altogether. A server that asks for more is told to the user instead. */
  readonly maxWait?: number;
  /** Waits; given up when the signal is aborted. For tests. */
  pause?(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** Called before a wait. */
  onWait?(wait: { readonly url: string; readonly milliseconds: number }): void;
  /** Addresses of a host name; the resolver of the system when left out. Each one is judged before it is used. */
  resolve?(host: string): Promise<readonly string[]>;
  /** Where a connection to an address that was judged fit really goes. For tests of what may be reached. */
  dial?(address: string): string;
}

/** How one request differs from the settings. */
export interface FetchOptions {
  readonly maxBytes?: number | undefined;
  readonly timeout?: number;
  readonly accept?: string;
  /** Sent to the origin of the URL only: a redirect to another one drops them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called as the body arrives; `total` is what the server announced. */
  readonly onProgress?:
    | ((progress: { readonly received: number; readonly total: number | undefined }) => void)
    | undefined;
}

/** A request that brings something along. It follows no redirect. */
export interface SendOptions extends FetchOptions {
  readonly method: 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  readonly body?: Uint8Array;
  /** Statuses of 400 and above that are given back instead of thrown. */
  readonly expect?: readonly number[];
}

/** The head of an answer. */
export interface FetchedHead {
  /** Where the answer came from, redirects followed. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case; values of a repeated header joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer with its body, decoded where the server compressed it. */
export interface Fetched extends FetchedHead {
  readonly body: Uint8Array;
}

/** An answer whose body went to a file exactly as it was sent. */
export interface Downloaded extends FetchedHead {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** JSON that fits its schema. */
export interface FetchedJson<Value> extends FetchedHead {
  readonly value: Value;
}

/**
 * Guarded requests: http and https only, no credentials in URLs, every address checked after resolution and pinned,
 * at most five redirects with the same checks, size and time capped. E200 unreachable, E201 not found, E202 not allowed,
 * E206 address refused, E207 too large, E209 rate limited. An answer of 429 or 503 with `retry-after` is waited for, within
 * bounds, and asked for again.
 */
export interface Fetcher {
  get(url: string | URL, options?: FetchOptions): Promise<Fetched>;
  /** The head of the answer alone: nothing of the body is sent. */
  head(url: string | URL, options?: FetchOptions): Promise<FetchedHead>;
  /** E215 when the body is not JSON, or not of that shape. At most 16 MiB unless the options say more. */
  getJson<Schema extends z.ZodType>(
    url: string | URL,
    schema: Schema,
    options?: FetchOptions,
  ): Promise<FetchedJson<z.output<Schema>>>;
  /** Streams to a file, which must not exist; nothing is left of it after a failure. */
  download(url: string | URL, file: string, options?: FetchOptions): Promise<Downloaded>;
  send(url: string | URL, options: SendOptions): Promise<Fetched>;
}
