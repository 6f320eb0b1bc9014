// Refuses secrets in a source, because the lock is shared.

import { type SkillwrightError, secretIn } from '../../../base/diagnostics/index.ts';

/** Makes the error for a source. */
export type Refusal = (why: string, help?: string) => SkillwrightError;

/** Refuses a source that would carry a secret into the lock. */
export function checkSecrets(url: URL, refuse: Refusal): void {
  const secret = secretIn(url);
  if (secret !== undefined)
    throw refuse(
      `${secret} would be written to the lock`,
      'download it and install the file, or publish it at an address without a secret',
    );
}
