// Asking the permission rules.

import * as z from 'zod';
import { PermissionRule } from '../../../skill/config/index.ts';
import { defineOperation } from '../define-command.ts';

/** Gives the rule that decides. */
export const checkPermission = defineOperation({
  input: z.strictObject({
    tool: z.string().min(1).default('skill_load'),
    name: z.string().optional(),
    path: z.string().optional(),
  }),
  output: z.strictObject({
    effect: z.enum(['allow', 'deny', 'confirm']),
    layer: z.enum(['built-in', 'user', 'project', 'default']).describe('Who made the rule'),
    rule: PermissionRule.nullable(),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  run: async (question, connection) => (await connection.session()).permissions.check(question),
});
