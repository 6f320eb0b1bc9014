// Path of a skill's index: one file per source path.

import { join } from 'node:path';
import { sha256 } from '../../base/files/index.ts';

/** First 16 hex digits of the SHA-256 of a canonical source path. */
export function indexHash(canonicalSourcePath: string): string {
  return sha256(canonicalSourcePath).slice(0, 16);
}

/** `search-<hash16>.db`. */
export function indexFileName(canonicalSourcePath: string): string {
  return `search-${indexHash(canonicalSourcePath)}.db`;
}

/** Path of the index of `sourceDir` in the directory of a skill's indexes. */
export function indexPath(indexDir: string, sourceDir: string): string {
  return join(indexDir, indexFileName(sourceDir));
}
