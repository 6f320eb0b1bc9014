// Operations of a session: permissions.check, permissions.remember.

import * as z from 'zod';
import { PermissionRule } from '../../../skill/config/index.ts';
import { defineOperation } from '../define-command.ts';
import { listsSkills, withReference } from './wire-shapes.ts';

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
  ...listsSkills,
  run: async (question, connection) => (await connection.session()).permissions.check(question),
});

/** Allows a skill. */
export const rememberPermission = defineOperation({
  input: withReference({
    tool: z
      .enum(['skill_load', 'skill_run'])
      .default('skill_load')
      .describe('The confirmed operation: tool in the data of E061'),
    persist: z.boolean().default(true).describe('False: only for this session and the current files'),
  }),
  output: z.strictObject({ remembered: z.boolean().describe('False when it holds for this session only') }),
  effect: 'write',
  writes: ['state'],
  touches: { skill: 'name', operation: 'read' },
  async run({ tool, persist, ...reference }, connection) {
    const { permissions } = await connection.session();
    return { remembered: await permissions.remember(reference, { tool, persist }) };
  },
});
