// skills.resources: list the files of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Lists the files that skills.read reads. */
export const listResources = defineOperation({
  input: withReference({
    directory: z.string().optional().describe('List only this directory of the skill'),
    limit: z.int().positive().optional().describe('Maximum number of files; default 1,000'),
  }),
  output: z.strictObject({
    files: z.array(z.string()).describe('Paths relative to the skill'),
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
