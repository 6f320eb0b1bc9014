// Hearing that a conversation was shortened.

import * as z from 'zod';
import { LoadedSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';

/** Forgets which texts the model has. */
export const contextCompacted = defineOperation({
  input: z.strictObject({
    kept: z
      .array(z.string())
      .default([])
      .describe('Skills, by name or path, whose text is still in the conversation'),
  }),
  output: z.strictObject({
    skills: z.array(LoadedSkill).describe('Their text is sent again when they are loaded'),
    kept: z.array(LoadedSkill),
    unknown: z.array(z.string()).describe('What was said to be kept and no one loaded skill is called'),
    text: z
      .string()
      .describe('For the shortened conversation: which skills were in use; empty when none was'),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  async run(params, connection) {
    const { skills, kept, unknown, text } = (await connection.session()).compacted(params);
    return { skills: [...skills], kept: [...kept], unknown: [...unknown], text };
  },
});
