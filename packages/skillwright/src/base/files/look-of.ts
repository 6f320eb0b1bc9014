// A file's fingerprint from its status, to notice changes without reading it.

import { statSync } from 'node:fs';
import { orUndefined } from '../diagnostics/index.ts';

/** Changes when a file is replaced or written; undefined if it is missing or inaccessible. */
export function lookOf(path: string): string | undefined {
  const status = orUndefined(() => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return status && [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join();
}
