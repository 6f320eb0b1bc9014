// What a file looks like from outside, for whoever wants to know whether it is still the same.

import { statSync } from 'node:fs';
import { orUndefined } from '../diagnostics/index.ts';

/** Changes when a file is replaced or written; undefined when there is none, or nobody may look. */
export function lookOf(path: string): string | undefined {
  const status = orUndefined(() => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return status && [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join();
}
