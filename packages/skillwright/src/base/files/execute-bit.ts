// Tests the execute bit.

import { statSync } from 'node:fs';
import { orUndefined } from '../diagnostics/index.ts';

/** True when somebody may execute the file; false also when it is not there, or cannot be looked at. */
export function hasExecuteBit(path: string): boolean {
  return ((orUndefined(() => statSync(path).mode) ?? 0) & 0o111) !== 0;
}
