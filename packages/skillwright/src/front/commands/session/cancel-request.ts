// Giving up a request that is being worked on.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';

/** Ends what a request has started. */
export const cancelRequest = defineOperation({
  input: z.strictObject({ id: z.union([z.string(), z.number()]).describe('The id of the request') }),
  output: z.strictObject({
    cancelled: z.boolean().describe('False when no such request is being worked on'),
  }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  async run({ id }, connection) {
    const request = connection.requests.get(id);
    request?.abort();
    return { cancelled: request !== undefined };
  },
});
