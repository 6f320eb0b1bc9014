// Fixing the folder of a connection.

import * as z from 'zod';
import { toolVersion } from '../../../base/version.ts';
import { SessionId } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { rpcMethods } from '../table.ts';
import { Directory } from './wire-shapes.ts';

/** Raised when a client of an older one would misunderstand answers. */
const PROTOCOL_VERSION = '1';

/** Fixes the folder and the trust in it, and introduces the server. */
export const initialize = defineOperation({
  // Clients may introduce themselves with more than is read here.
  input: z.looseObject({
    cwd: Directory.optional().describe('Default: where skc was started'),
    trust: z
      .boolean()
      .default(false)
      .describe("The user's word that the folder's own skills and configuration may be used"),
    session_id: SessionId.optional().describe(
      'The id of the session, for a host that has one; hooks and quizzes know it',
    ),
    watch: z
      .boolean()
      .default(false)
      .describe('Send the notification skills.changed when skills, rules or switches are different'),
  }),
  output: z.strictObject({
    protocol_version: z.string(),
    server: z.strictObject({ name: z.string(), version: z.string() }),
    session_id: z.string(),
    cwd: z.string(),
    trusted: z.boolean(),
    methods: z.array(z.string()),
  }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  async run({ cwd, trust, session_id: sessionId, watch }, connection) {
    const folder = connection.open({
      trust,
      watch,
      ...(cwd === undefined ? {} : { cwd }),
      ...(sessionId === undefined ? {} : { sessionId }),
    });
    const { id } = await connection.session();
    return {
      protocol_version: PROTOCOL_VERSION,
      server: { name: 'skillwright', version: toolVersion },
      session_id: id,
      cwd: folder.cwd,
      trusted: folder.trust,
      methods: Object.keys(rpcMethods),
    };
  },
});
