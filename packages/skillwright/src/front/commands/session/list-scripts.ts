// scripts.list: list the scripts of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Lists the scripts that scripts.run runs. */
export const listScripts = defineOperation({
  input: withReference({}),
  output: z.strictObject({
    scripts: z.array(
      z.strictObject({
        name: z.string(),
        path: z.string().describe('Path relative to the skill'),
        interpreters: z.array(z.string()).describe('Programs that can run it, preferred first'),
        summary: z.string().describe('First line of its own description'),
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
