// Reading a file of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Gives a text file. */
export const readSkillFile = defineOperation({
  input: withReference({
    file: z
      .string()
      .min(1)
      .describe('Relative to the skill, or a path that loading listed; a directory is listed'),
    offset: z
      .int()
      .nonnegative()
      .optional()
      .describe('Bytes to skip: 0, or the next_offset of the part before'),
    limit: z.int().positive().optional().describe('Most bytes; the server may give fewer'),
  }),
  output: z.strictObject({
    path: z.string(),
    kind: z.enum(['file', 'directory']).describe('Of a directory the content is the paths of its files'),
    content: z.string(),
    offset: z.int().describe('Where this part begins, in bytes'),
    size: z.int().describe('Bytes of the whole file'),
    truncated: z.boolean().describe('Whether the file goes on'),
    next_offset: z.int().nullable().describe('Read on from here; null at the end'),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async (request, connection) => (await connection.session()).readResource(request),
});
