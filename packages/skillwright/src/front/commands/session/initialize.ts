// initialize: set the folder of a connection.

import * as z from 'zod';
import { toolVersion } from '../../../base/version.ts';
import { SessionId } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { rpcMethods } from '../table.ts';
import { Directory } from './wire-shapes.ts';

/** Increased when older clients would misread answers. */
const PROTOCOL_VERSION = '1';

/** Sets the folder and whether it is trusted, and describes the server. */
export const initialize = defineOperation({
  input: z.strictObject({
    cwd: Directory.optional().describe('Absolute path of the folder; default: where skc was started'),
    trust: z
      .boolean()
      .default(false)
      .describe('True if the user trusts the folder: its own skills and configuration are used'),
    client: z.looseObject({}).optional().describe('The client about itself, such as its name and version'),
    session_id: SessionId.optional().describe(
      'Your own session id, if you have one; passed to hooks and quizzes',
    ),
    watch: z
      .boolean()
      .default(false)
      .describe('Send the notification skills.changed when skills, rules or on/off switches change'),
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
