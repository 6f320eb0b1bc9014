// Bytes by digest: archives, and the indexes made of them. Small enough for an object store.

import type { Queryable } from './database.ts';

/** Keeps bytes under the SHA-256 of their content, or under a name derived from one. */
export interface Blobs {
  /** Writing the same bytes again changes nothing. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Like `put`, for several blobs; one round trip where the store supports it. */
  putAll(blobs: ReadonlyMap<string, Uint8Array>): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  remove(key: string): Promise<void>;
  /** Every key, in no particular order. */
  keys(): AsyncIterable<string>;
  /** The same blobs inside a transaction, where they are rows of the same database. */
  within?(tx: Queryable): Blobs;
  /** An address from which anybody can fetch a blob for some seconds, where the store has such. */
  addressOf?(key: string, seconds: number): Promise<string>;
}

/** Keys are `sha256:<hex>`, or that with a suffix such as `.index`. */
export function isKey(key: string): boolean {
  return /^sha256:[0-9a-f]{64}(?:\.[a-z0-9-]{1,20})?$/.test(key);
}

export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a key of a blob: ${key}`);
  return key;
}
