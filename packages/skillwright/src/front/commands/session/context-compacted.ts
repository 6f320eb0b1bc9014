// context.compacted: report that the conversation was shortened.

import * as z from 'zod';
import { LoadedSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';

/** Forgets which texts the model has, except those the host kept. */
export const contextCompacted = defineOperation({
  input: z.strictObject({
    kept: z
      .array(z.string())
      .default([])
      .describe('Skills whose text is still in the conversation, by name or path'),
  }),
  output: z.strictObject({
    skills: z.array(LoadedSkill).describe('Skills whose text is gone; loading them sends it again'),
    kept: z.array(LoadedSkill),
    unknown: z.array(z.string()).describe('Entries of kept that match no loaded skill, or more than one'),
    text: z
      .string()
      .describe(
        'Add it to the shortened conversation: it lists the skills in use; empty when there are none',
      ),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  async run(params, connection) {
    const { skills, kept, unknown, text } = (await connection.session()).compacted(params);
    return { skills: [...skills], kept: [...kept], unknown: [...unknown], text };
  },
});
