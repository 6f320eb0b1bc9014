// Remembering what the user confirmed.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Allows a skill. */
export const rememberPermission = defineOperation({
  input: withReference({
    tool: z
      .enum(['skill_load', 'skill_run'])
      .default('skill_load')
      .describe('What was confirmed, as the data of E061 says'),
    persist: z.boolean().default(true).describe('False: for this session and the text of now alone'),
  }),
  output: z.strictObject({ remembered: z.boolean().describe('False when it holds for this session alone') }),
  effect: 'write',
  writes: ['state'],
  touches: { skill: 'name', operation: 'read' },
  async run({ tool, persist, ...reference }, connection) {
    const { permissions } = await connection.session();
    return { remembered: await permissions.remember(reference, { tool, persist }) };
  },
});
