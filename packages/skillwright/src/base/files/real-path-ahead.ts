// The real path of something that need not exist yet.

import { basename, dirname, join } from 'node:path';
import { canonicalPath } from './canonical-path.ts';
import { isThere } from './status-at.ts';

/** The path with the links of every directory above it resolved, as far as they exist. E015 when one leads nowhere. */
export function realPathAhead(path: string): string {
  if (isThere(path) || dirname(path) === path) return canonicalPath(path);
  return join(realPathAhead(dirname(path)), basename(path));
}
