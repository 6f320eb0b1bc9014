// tools.list: list the tools of active skills.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';
import { ActiveTool, wireTool } from './wire-shapes.ts';

/** Lists the tools that tools.call calls. */
export const listTools = defineOperation({
  input: z.strictObject({}),
  output: z.strictObject({ tools: z.array(ActiveTool) }),
  effect: 'read',
  writes: [],
  touches: { skills: 'run' },
  run: async (_params, connection) => ({ tools: (await connection.session()).tools().map(wireTool) }),
});
