// The names of the profiles, apart from what they ask for, so that whoever only names one loads no more.

import * as z from 'zod';

/** Whose rules to judge by. */
export const ProfileName = z.enum(['spec', 'strict', 'claude-code', 'registry', 'upload']);
/** Whose rules to judge by. */
export type ProfileName = z.infer<typeof ProfileName>;
