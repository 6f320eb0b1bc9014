// session.save: save a session.

import * as z from 'zod';
import { SavedSession } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';

/** Returns the input of resumeSession. */
export const saveSession = defineOperation({
  input: z.strictObject({}),
  output: SavedSession,
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  run: async (_params, connection) => (await connection.session()).save(),
});
