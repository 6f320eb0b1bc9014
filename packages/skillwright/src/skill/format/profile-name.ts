// Names of the profiles. Separate from their rules, so that code that only names one stays small.

import * as z from 'zod';

/** Profile to check against. */
export const ProfileName = z.enum(['spec', 'strict', 'claude-code', 'registry', 'upload']);
/** Profile to check against. */
export type ProfileName = z.infer<typeof ProfileName>;
