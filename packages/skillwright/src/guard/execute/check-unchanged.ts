// Whether a checked file is still what it was, for sandboxes that can only run what is on the disk.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { readRegularFile } from '../../base/files/index.ts';
import type { CheckedFile } from './sandbox.ts';

/** E015 when a file is no longer the one that was checked. */
export function checkUnchanged(files: readonly CheckedFile[]): void {
  for (const { path, bytes } of files) {
    const now = readRegularFile(path, { maxBytes: bytes.length });
    if (now === undefined || !now.equals(bytes))
      throw SkillwrightError.of('E015', { path, why: 'it changed while it was being started' });
  }
}
