// Types of the guarded fetch. Every HTTP request of skc goes through a Fetcher.

import type * as z from 'zod';

/** Settings for every request of a fetcher. Times are in milliseconds. */
export interface FetcherSettings {
  /**
   * Private hosts, addresses and networks that requests may reach; `true` for loopback and private networks. Comes only from
   * the user's own configuration, and never allows link-local addresses or metadata services.
   */
  readonly allowPrivate?: boolean | readonly string[];
  /** Time limit for a whole request, except a download; also the limit for time without any data. */
  readonly timeout?: number;
  /** Time limit for a whole download. */
  readonly downloadTimeout?: number;
  /** Size limit of a response in bytes, after decoding. */
  readonly maxBytes?: number;
  /** Certificates to trust besides those of the system, in PEM. */
  readonly ca?: string;
  /** How often a request is repeated when the server asks to wait. */
  readonly retries?: number;
  /** Waits until the time is up or the signal is aborted. For tests. */
  pause?(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** Called before a wait. */
  onWait?(wait: { readonly url: string; readonly milliseconds: number }): void;
  /** Resolves a host name; the system's resolver by default. Each address is checked before use. */
  resolve?(host: string): Promise<readonly string[]>;
  /** Redirects a connection to a checked address. For tests of the address checks. */
  dial?(address: string): string;
}

/** Options of one request. */
export interface FetchOptions {
  readonly maxBytes?: number | undefined;
  readonly timeout?: number;
  readonly accept?: string;
  /** Sent only to the origin of the URL: a redirect to another origin drops them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** An origin that the user named, so its host may be private. A redirect to another origin is checked as usual. */
  readonly named?: string | undefined;
  /** Statuses of 300 and above to return instead of throwing. */
  readonly expect?: readonly number[] | undefined;
  /** Called as the body arrives; `total` is the announced length. */
  readonly onProgress?:
    | ((progress: { readonly received: number; readonly total: number | undefined }) => void)
    | undefined;
}

/** A request with a body. It follows no redirects. */
export interface SendOptions extends FetchOptions {
  readonly method: 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  readonly body?: Uint8Array;
}

/** Status and headers of a response. */
export interface FetchedHead {
  /** Final URL after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case; repeated headers joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response with its decoded body. */
export interface Fetched extends FetchedHead {
  readonly body: Uint8Array;
}

/** A response whose body was saved to a file exactly as sent. */
export interface Downloaded extends FetchedHead {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** JSON that matches its schema. */
interface FetchedJson<Value> extends FetchedHead {
  readonly value: Value;
}

/**
 * Guarded requests: http and https only, no credentials in URLs, every address checked after resolution and pinned,
 * at most five redirects with the same checks, size and time capped. E200 unreachable, E201 not found, E202 not allowed,
 * E206 address refused, E207 too large, E209 rate limited. After a 429 or 503 with `retry-after` it waits, within limits, and
 * asks again.
 */
export interface Fetcher {
  get(url: string | URL, options?: FetchOptions): Promise<Fetched>;
  /** A HEAD request: no body. */
  head(url: string | URL, options?: FetchOptions): Promise<FetchedHead>;
  /** E215 when the body is not JSON or does not match the schema. At most 16 MiB by default. */
  getJson<Schema extends z.ZodType>(
    url: string | URL,
    schema: Schema,
    options?: FetchOptions,
  ): Promise<FetchedJson<z.output<Schema>>>;
  /** Streams to a new file, which is removed after a failure. */
  download(url: string | URL, file: string, options?: FetchOptions): Promise<Downloaded>;
  send(url: string | URL, options: SendOptions): Promise<Fetched>;
}
