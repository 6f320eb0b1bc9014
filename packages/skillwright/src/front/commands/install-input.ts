// The consent of the commands that install content.

import type { Consent } from '../../ship/install/index.ts';

/** Findings the user accepts. */
export function consentOf(input: {
  readonly accept: readonly string[];
  readonly reason?: string | undefined;
  readonly trust_lock: boolean;
}): Consent {
  const { accept, reason, trust_lock: trustLock } = input;
  return { accept, reason, trustLock };
}
