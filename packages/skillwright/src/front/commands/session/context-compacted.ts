// Hearing that a conversation was shortened.

import * as z from 'zod';
import { LoadedSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';

/** Forgets which texts the model has. */
export const contextCompacted = defineOperation({
  input: z.strictObject({}),
  output: z.strictObject({
    skills: z.array(LoadedSkill),
    text: z
      .string()
      .describe('For the shortened conversation: which skills were in use; empty when none was'),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  run: async (_params, connection) => (await connection.session()).compacted(),
});
