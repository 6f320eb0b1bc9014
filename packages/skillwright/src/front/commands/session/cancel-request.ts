// requests.cancel: cancel a running request.

import * as z from 'zod';
import { defineOperation } from '../define-command.ts';

/** Aborts a request and whatever it started. */
export const cancelRequest = defineOperation({
  input: z.strictObject({ id: z.union([z.string(), z.number()]).describe('Id of the request to cancel') }),
  output: z.strictObject({
    cancelled: z.boolean().describe('False when no such request is running'),
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
