// Paths with links resolved.

import { realpathSync } from 'node:fs';
import { orUndefined } from '../diagnostics/index.ts';

/** The path with links resolved; unchanged if it is missing or inaccessible. */
export function realPath(path: string): string {
  return orUndefined(() => realpathSync.native(path)) ?? path;
}
