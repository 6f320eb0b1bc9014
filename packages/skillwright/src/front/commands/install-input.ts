// Inputs that the commands about installed skills share.

import * as z from 'zod';
import type { Consent } from '../../ship/install/index.ts';

/** Flags to accept findings, for every command that installs content. */
export const consentInput = {
  accept: z
    .array(z.string())
    .default([])
    .describe('Accept these scan findings, by id or rule, such as SCN201,SCN305; needs --reason'),
  reason: z.string().max(1000).optional().describe('Why you accept them; saved in the lock'),
  trust_lock: z.boolean().default(false).describe("Accept the findings that the project's lock accepts"),
};

/** Findings the user accepts. */
export function consentOf(input: {
  readonly accept: readonly string[];
  readonly reason?: string | undefined;
  readonly trust_lock: boolean;
}): Consent {
  const { accept, reason, trust_lock: trustLock } = input;
  return { accept, reason, trustLock };
}

/** The scope of a command about installed skills. */
export const ScopeInput = z.enum(['project', 'user']).optional();
