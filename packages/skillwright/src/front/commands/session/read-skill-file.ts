// skills.read: read a file of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Returns a text file. */
export const readSkillFile = defineOperation({
  input: withReference({
    file: z
      .string()
      .min(1)
      .describe('Path relative to the skill, or as listed by skills.load; a directory returns its files'),
    offset: z
      .int()
      .nonnegative()
      .optional()
      .describe('Bytes to skip: 0, or next_offset of the previous part'),
    limit: z.int().positive().optional().describe('Maximum number of bytes; the server may return fewer'),
  }),
  output: z.strictObject({
    path: z.string(),
    kind: z.enum(['file', 'directory']).describe('For a directory, content lists the paths of its files'),
    content: z.string(),
    offset: z.int().describe('Start of this part, in bytes'),
    size: z.int().describe('Size of the whole file, in bytes'),
    truncated: z.boolean().describe('Whether there is more to read'),
    next_offset: z.int().nullable().describe('Offset of the next part; null at the end'),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async (request, connection) => (await connection.session()).readResource(request),
});
