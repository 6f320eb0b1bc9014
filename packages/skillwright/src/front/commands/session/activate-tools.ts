// tools.activate: start the tools of a skill.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { ActiveTool, Remark, wireTool, withReference } from './wire-shapes.ts';

/** Starts the toolsets of a skill. */
export const activateTools = defineOperation({
  input: withReference({}),
  output: z.strictObject({
    tools: z.array(ActiveTool),
    diagnostics: z.array(Remark).describe('One for each toolset or tool that cannot be used'),
  }),
  effect: 'destructive',
  writes: ['granted directories'],
  touches: { skill: 'name', operation: 'run' },
  async run(reference, connection) {
    const { tools, diagnostics } = await (await connection.session()).activate(reference);
    return { tools: tools.map(wireTool), diagnostics };
  },
});
