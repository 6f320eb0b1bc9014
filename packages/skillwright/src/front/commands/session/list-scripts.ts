// The scripts of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Lists what scripts.run runs. */
export const listScripts = defineOperation({
  input: withReference({}),
  output: z.strictObject({
    scripts: z.array(
      z.strictObject({
        name: z.string(),
        path: z.string().describe('Relative to the skill'),
        interpreters: z.array(z.string()).describe('Programs that can run it, the preferred one first'),
        summary: z.string().describe('The first line that it says about itself'),
      }),
    ),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async (reference, connection) => ({
    scripts: await (await connection.session()).listScripts(reference),
  }),
});
