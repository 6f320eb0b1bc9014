// One rule of `[[permissions.allow]]`, `deny` or `ask`.

import * as z from 'zod';
import { canNameDirectory } from '../format/index.ts';

/** One permission rule. Rejects unknown fields, because a misspelt condition must never widen a rule. */
export const PermissionRule = z.strictObject({
  tool: z.string().min(1),
  /** Any name a skill in the catalog can have. */
  skill_name: z.string().refine(canNameDirectory, 'must be a skill name').optional(),
});
/** One permission rule. */
export type PermissionRule = z.output<typeof PermissionRule>;
