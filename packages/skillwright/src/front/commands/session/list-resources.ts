// The files of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Lists the files that skills.read reads. */
export const listResources = defineOperation({
  input: withReference({
    directory: z.string().optional().describe('Only what lies in this directory of the skill'),
    limit: z.int().positive().optional().describe('Most files; 1,000 unless given'),
  }),
  output: z.strictObject({
    files: z.array(z.string()).describe('Relative to the skill'),
    total: z.int(),
    truncated: z.boolean(),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  async run({ directory, limit, ...reference }, connection) {
    const session = await connection.session();
    return session.listResources(reference, {
      ...(directory === undefined ? {} : { directory }),
      ...(limit === undefined ? {} : { limit }),
    });
  },
});
