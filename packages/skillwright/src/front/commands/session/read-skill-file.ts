// Reading a file of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Gives a text file. */
export const readSkillFile = defineOperation({
  input: withReference({
    resource: z.string().min(1).describe('Relative to the skill, or a path that loading listed'),
  }),
  output: z.strictObject({ path: z.string(), content: z.string(), truncated: z.boolean() }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async ({ resource, ...reference }, connection) =>
    (await connection.session()).readResource(reference, resource),
});
