// A path as the disk knows it.

import { realpathSync } from 'node:fs';
import { orUndefined } from '../diagnostics/index.ts';

/** The path with links resolved; as it is spelled when nothing is there, or it cannot be looked at. */
export function realPath(path: string): string {
  return orUndefined(() => realpathSync.native(path)) ?? path;
}
