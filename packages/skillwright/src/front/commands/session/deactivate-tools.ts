// tools.deactivate: stop the tools of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Stops the toolsets of a skill. */
export const deactivateTools = defineOperation({
  input: withReference({}),
  output: z.strictObject({ deactivated: z.boolean().describe('False when the skill was not active') }),
  effect: 'write',
  writes: [],
  touches: { skills: 'list' },
  run: async (reference, connection) => ({
    deactivated: await (await connection.session()).deactivate(reference),
  }),
});
