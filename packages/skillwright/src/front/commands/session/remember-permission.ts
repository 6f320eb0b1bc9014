// permissions.remember: remember a confirmation of the user.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

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
