// Content identity.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { compareBytes } from './compare-paths.ts';
import { resolveInside } from './contained-path.ts';
import { isMissing, readError } from './system-error.ts';

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

// The hash of a file of any size, without holding it in memory.

const MAX_CHUNK = 1024 * 1024;
/** Reading more takes seconds, and a sparse file can claim any size. */
const MAX_READ = 256 * 1024 * 1024;

/**
 * SHA-256 in hex of a file inside `dir`; undefined when it is not there. A file too large to be read is known by its start, its
 * size and its times: no edit leaves them all as they were. E012 when it leads out, E015 when it cannot be read.
 */
export function hashFileInside(dir: string, path: string): string | undefined {
  const real = resolveInside(dir, path);
  if (real === undefined) return undefined;
  try {
    // A link or a pipe put in its place since is not followed, nor waited for.
    const descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const hash = createSha256();
      // Most files are small, and a large buffer for each keeps the garbage collector busy.
      const { size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
      const chunk = Buffer.allocUnsafe(Math.max(4096, Math.min(Number(size), MAX_CHUNK)));
      if (size > MAX_READ) {
        hash.update(chunk.subarray(0, readSync(descriptor, chunk)));
        hash.update(`${size} ${mtimeNs} ${ctimeNs}`);
        return hash.digest('hex');
      }
      for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
        hash.update(chunk.subarray(0, read));
      return hash.digest('hex');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
}
