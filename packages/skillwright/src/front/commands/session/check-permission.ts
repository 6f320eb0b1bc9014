// permissions.check: ask the permission rules.

import * as z from 'zod';
import { PermissionRule } from '../../../skill/config/index.ts';
import { defineOperation } from '../define-command.ts';

/** Returns the deciding rule. */
export const checkPermission = defineOperation({
  input: z.strictObject({
    tool: z.string().min(1).default('skill_load'),
    name: z.string().optional(),
    path: z.string().optional(),
  }),
  output: z.strictObject({
    effect: z.enum(['allow', 'deny', 'confirm']),
    layer: z.enum(['built-in', 'user', 'project', 'default']).describe('Where the rule comes from'),
    rule: PermissionRule.nullable(),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  run: async (question, connection) => (await connection.session()).permissions.check(question),
});
