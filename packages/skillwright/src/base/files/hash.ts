// Content identity.

import { compareBytes } from './compare-paths.ts';

/** A hash under construction. */
interface Hasher {
  update(data: string | Uint8Array): unknown;
  digest(encoding: 'hex'): string;
}

declare const Bun: { CryptoHasher: new (algorithm: 'sha256') => Hasher };

/**
 * A new SHA-256. Loading `node:crypto` costs the executable 2 ms of every start and Bun's own hasher nothing, so the
 * module is asked for where there is no Bun.
 */
export const createSha256: () => Hasher =
  process.versions.bun === undefined
    ? () => process.getBuiltinModule('node:crypto').createHash('sha256')
    : () => new Bun.CryptoHasher('sha256');

/** SHA-256 in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  const hasher = createSha256();
  hasher.update(data);
  return hasher.digest('hex');
}

/** One file of a tree and the hash of its bytes. */
export interface HashedFile {
  readonly path: string;
  readonly sha256: string;
}

/** SHA-256 over the sorted `(relative path, file hash)` pairs, each part ended by a NUL so that no two trees collide. */
export function hashTree(files: Iterable<HashedFile>): string {
  const sorted = [...files].sort((a, b) => compareBytes(a.path, b.path));
  const hasher = createSha256();
  for (const file of sorted) hasher.update(`${file.path}\0${file.sha256}\0`);
  return hasher.digest('hex');
}
