// Content identity.

import { createHash, hash } from 'node:crypto';
import { compareBytes } from './compare-paths.ts';

/** SHA-256 in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** One file of a tree and the hash of its bytes. */
export interface HashedFile {
  readonly path: string;
  readonly sha256: string;
}

/** SHA-256 over the sorted `(relative path, file hash)` pairs, each part ended by a NUL so that no two trees collide. */
export function hashTree(files: Iterable<HashedFile>): string {
  const sorted = [...files].sort((a, b) => compareBytes(a.path, b.path));
  const total = createHash('sha256');
  for (const file of sorted) total.update(`${file.path}\0${file.sha256}\0`);
  return total.digest('hex');
}
