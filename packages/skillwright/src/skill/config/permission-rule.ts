// A rule of `[[permissions.allow]]` and its siblings.

import * as z from 'zod';

/** One permission rule. Unknown fields are refused, because a misspelt condition must never widen a rule. */
export const PermissionRule = z.strictObject({
  tool: z.string().min(1),
  skill_name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a skill name')
    .optional(),
});
/** One permission rule. */
export type PermissionRule = z.output<typeof PermissionRule>;
